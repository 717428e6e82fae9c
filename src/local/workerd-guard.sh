#!/bin/sh
# Becomes workerd, and leaves a watcher behind that ends it when the monitor that started it is gone, however it died.
# Without that, a monitor killed outright would leave its runtime behind, with the data of the next one in its hands.
monitor=$PPID
(
  while kill -0 "$monitor" && kill -0 $$; do sleep 1; done
  kill -9 $$
) <&- >/dev/null 2>&1 3>&- &
exec "$GATEPULSE_WORKERD" "$@"
