#!/usr/bin/env bash
# A walk through the apps of rules/: what their messages do on a phone, and why. Run it anywhere; it writes nothing but a
# state file in a temporary folder. `examples/tour.txt` is what it prints.
set -euo pipefail
cd "$(dirname "$0")/.."

desk=$(mktemp -d)
trap 'rm -rf "$desk"' EXIT

say() { printf '\n%s\n' "$@"; }

# A word as one would type it.
word() { case "$1" in *[!A-Za-z0-9_./=,:-]*) printf " '%s'" "$1" ;; *) printf ' %s' "$1" ;; esac; }

# Shows a command, then its answer, always for the same person and at the same moment: 09:41 unless `now` is another.
show() {
    set -- --recipient u-1 --now "${now:-2026-01-01T09:41:00Z}" "$@"
    printf '\n$ rulehost eval'
    for argument; do word "${argument#"$desk/"}"; done
    printf '\n'
    rulehost eval --color never "$@"
}

say "Each command can be pasted into a shell that stands beside the folders rules and examples; with --apply it makes the state file that later ones read."

say "1. TOPICS  A silent message arrives; its text is nested in the data, and the app posts a notification of its own."
show --app topics --apply "$desk/state.json" examples/messages/silent-json-text.json
say "The same message comes once more, in another form and without an id: it is recognised, and not counted again."
show --app topics --state-file "$desk/state.json" examples/messages/silent-nested.json
say "An hour later, the person has turned that channel off. The message still wakes the app, but nothing is shown and nothing counted."
now=2026-01-01T10:41:00Z show --app topics --state-file "$desk/state.json" --set channel.event=off examples/messages/silent-nested.json

say "The person logs in: a topic of their own is subscribed, and the one of somebody else left. Each is tried by itself."
show --app topics --device '{"state":"foreground","topics":["APPPUSH%u-0"]}' --event '{"name":"account","op":"login","account":"u-1"}'

say "2. CHAT  The app is open at home: the message is shown."
show --app chat --state foreground --tab home examples/messages/chat-fcm-v1.json
say "In the chat tab the same message stays quiet. --trace lets every rule say what it thought."
show --app chat --device examples/devices/chat-list.json --trace examples/messages/chat-fcm-v1.json
say "The app is not running, and the person taps: the room waits until the screens are there."
show --app chat --device examples/devices/terminated-tap.json examples/messages/chat-fcm-v1.json

say "3. WEB VIEW  A silent message in the background is kept …"
show --app webview --state background --apply "$desk/page.json" examples/messages/silent-order.json
say "… and handed to the page when the app comes to the front, once."
show --app webview --state foreground --event resume --state-file "$desk/page.json"
say "The same app in front, on an old phone: an alert in place of banner and list, and the page has it at once."
show --app webview --device examples/devices/ios-13.json examples/messages/legacy-everything.json

say "4. SERVICE  In front: banner, list and sound, and the id for the log."
show --app service --state foreground examples/messages/chat-apns.json
say "A registration token that comes before the APNs token is no good yet."
show --app service --event '{"name":"token","kind":"fcm","value":"a-registration-token"}'
say "A tap that starts the app: the message itself is handed over when the app is ready."
show --app service --device examples/devices/terminated-tap.json examples/messages/chat-apns.json

say "5. PICTURES  The app may work on the message first: it is told which picture to fetch, and how long it may try."
show --app pictures --state background examples/messages/picture.json
say "The picture was too slow: the text is shown alone, and the reason stands beside it."
show --app pictures --state background \
    --event '{"name":"enrich","fetched":{"url":"https://img.example.com/harbour.jpg","error":"timeout"}}' examples/messages/picture.json
