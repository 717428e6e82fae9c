/** The button for notifications. It is hidden where the browser has none. */
"use strict";
void (async () => {
  const button = document.getElementById("push");
  if (!button || !("PushManager" in window)) return;
  const status = button.nextElementSibling;
  const registered = await navigator.serviceWorker.getRegistration();
  let subscription = (await registered?.pushManager.getSubscription()) ?? null;
  const show = () => button.setAttribute("aria-pressed", subscription !== null);
  const turnOff = async () => {
    await subscription?.unsubscribe();
    subscription = null;
  };
  const turnOn = async () => {
    await navigator.serviceWorker.register("/push-worker.js");
    const { pushManager } = await navigator.serviceWorker.ready;
    const applicationServerKey = button.dataset.key;
    subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify(subscription);
    const answer = await fetch("/push", { method: "POST", headers, body });
    if (!answer.ok) throw new Error(answer.statusText);
  };
  const press = async () => {
    button.disabled = true;
    status.textContent = "";
    try {
      await (subscription ? turnOff() : turnOn());
    } catch {
      await turnOff();
      status.textContent = button.dataset.failed;
    }
    button.disabled = false;
    show();
  };
  button.addEventListener("click", () => void press());
  show();
  button.parentElement.hidden = false;
})();
