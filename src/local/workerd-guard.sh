#!/bin/sh
# Becomes workerd, and leaves a watcher behind that ends it when the monitor that started it is gone, however it died.
# Without that, a monitor killed outright would leave its runtime behind, with the data of the next one in its hands.
# The next one waits for the process that is written down here.
monitor=$PPID
if [ -n "${GATEPULSE_RUNTIME_PID_FILE:-}" ]; then echo $$ >"$GATEPULSE_RUNTIME_PID_FILE"; fi
(
  while kill -0 "$monitor" && kill -0 $$; do sleep 1; done
  kill -9 $$
) <&- >/dev/null 2>&1 3>&- &
exec "$GATEPULSE_WORKERD" "$@"
