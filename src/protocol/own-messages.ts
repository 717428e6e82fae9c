/**
 * What Gatepulse itself says where else a service's words stand: nobody shall take it for the service's. Pure data.
 */
export const OWN_MESSAGES = {
  silent: /^The stream fell silent without its end mark\. Complete events before: (\d+)\.$/u,
  lost: /^The connection broke off in the stream\. Complete events before: (\d+)\.$/u,
  lostFor: /^The connection broke off in the stream \((.*)\)\. Complete events before: (\d+)\.$/su,
  openEnd:
    /^The end mark came, but the last event has no empty line behind it\. Complete events before: (\d+)\.$/u,
  noEnd: /^The stream ended without its end mark\. Complete events before: (\d+)\.$/u,
  endAlone: /^The stream has its end mark\. No text: looked at (.+)\.$/su,
  noStream: /^A stream of events was asked for, and the answer is none\.$/u,
  unaskedStream: /^A plain answer was asked for, and a stream of events came\.$/u,
  tooManyEvents:
    /^The stream was not read to its end: it has over 100,000 events, or one that is too large\.$/u,
  tooLarge: /^The body was not read to its end: it is too large, or comes in too many pieces\.$/u,
  tooComplex: /^The JSON was not read: it has too many values, over 20,000 members .*$/u,
  noText: /^No text: looked at (.+)\.$/su,
  noVector: /^No vector of numbers: looked at (.+)\.$/su,
  noMedia: /^No image, video or address of one: looked at (.+)\.$/su,
  noShape: /^The answer is not of the agreed shape\.$/u,
  unmetWhole: /^Not what is expected at the whole answer\.$/u,
  unmet: /^Not what is expected at (.+)\.$/su,
  noId: /^The task was accepted, and the answer brings no id that it can be asked about by\.$/u,
  noState: /^no task state at (.+)$/su,
  unknownState: /^unknown task state: (.*)$/su,
  lastState: /^last known state: (.*)$/su,
  interrupted: /^The probe was interrupted before its answer was recorded\.$/u,
  redirect: /^It redirects to (.+), and redirects are not followed\.$/su,
  balance: /^The balance is (\S+), below (\S+)\.$/u,
} as const satisfies Readonly<Record<string, RegExp>>;

export type OwnMessage = keyof typeof OWN_MESSAGES;

export function isOwnMessage(text: string): boolean {
  return Object.values(OWN_MESSAGES).some((own) => own.test(text));
}
