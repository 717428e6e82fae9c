/** The button for notifications. It is hidden where the browser has none. */
"use strict";
void (async () => {
  const button = document.getElementById("push");
  if (!button || !("PushManager" in window)) return;
  const status = button.nextElementSibling;
  const { key, on, off, blocked, failed } = button.dataset;
  const registered = await navigator.serviceWorker.getRegistration();
  let subscription = (await registered?.pushManager.getSubscription()) ?? null;
  const show = () => button.setAttribute("aria-pressed", String(subscription !== null));
  /** What the server says of its refusal, in the language of the page. */
  let refusal = "";
  const tell = async (path) => {
    const headers = { "content-type": "application/json", "accept-language": document.documentElement.lang };
    const answer = await fetch(path, { method: "POST", headers, body: JSON.stringify(subscription) });
    if (!answer.ok) {
      refusal = (await answer.json()).detail;
      throw new Error(refusal);
    }
    localStorage.setItem("push", String(Date.now()));
  };
  const turnOff = async () => {
    if (!subscription) return;
    await tell("/push/off").catch(() => undefined);
    await subscription.unsubscribe();
    subscription = null;
  };
  const turnOn = async () => {
    await navigator.serviceWorker.register("/push-worker.js");
    const { pushManager } = await navigator.serviceWorker.ready;
    subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
    await tell("/push");
  };
  // Not `disabled`: the button would lose the focus.
  const attempt = async (act) => {
    if (button.ariaDisabled === "true") return;
    button.ariaDisabled = "true";
    status.textContent = refusal = "";
    try {
      await act();
      status.textContent = subscription ? on : off;
    } catch {
      const why = refusal || (Notification.permission === "denied" ? blocked : failed);
      await turnOff().catch(() => undefined);
      status.textContent = why;
    }
    button.ariaDisabled = "false";
    show();
  };
  button.addEventListener("click", () => void attempt(subscription ? turnOff : turnOn));
  show();
  button.parentElement.hidden = false;
  const own = String.fromCharCode(...new Uint8Array(subscription?.options?.applicationServerKey ?? []));
  const isOurs = btoa(own).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "") === key;
  // The site may have another key now, further shards, or an older backup. Browsers it knows it answers at once.
  if (subscription && !isOurs) await attempt(turnOff);
  else if (subscription && Date.now() - Number(localStorage.getItem("push")) > 86400000)
    await tell("/push").catch(() => undefined);
})();
