/** The words of --help. Pure data. */
import { DOCUMENTS } from "../protocol/causes.ts";

const EXIT_CODES = `Exit codes
  0  ok
  1  the operator's, the provider's or the network's turn
  2  wrong usage or configuration; nothing was sent
  3  your turn: key, balance, quota, permission, request or address
  4  wait and try later
`;

export const PROGRAM_USAGE = `Gatepulse says what is wrong with an LLM gateway, whose turn it is, and when to try again.

Usage
  gatepulse <command> [options]
  gatepulse <command> --help
  gatepulse --version

Commands
  init     makes a project: it asks for a gateway, checks it, and writes the files
  add      adds a gateway or a channel to a project
  probe    checks a gateway once, from this machine
  explain  says what a saved or pasted answer means
  check    checks a configuration and prints every problem
  plan     says what a configuration uses per day, and whether Cloudflare's free plan is enough
  start    runs the whole monitor on this machine
  build    builds the Worker of a configuration; wrangler runs it before each deploy
  deploy   checks a project, deploys it to Cloudflare, and waits for the first result
  upgrade  brings a project to a newer version, and shows first what changes
  backup   saves everything that was recorded, without secrets
  restore  loads a backup
  admin    acknowledges, silences, checks, pauses and plans at a running Gatepulse

${EXIT_CODES}`;

export const PROBE_USAGE = `Usage: gatepulse probe <baseUrl> [options]

Sends GET <baseUrl>/v1/models, at most 4 times, and says what the answer means. This generates nothing.
Leave /v1 out of the base URL. The key is never an argument: pass it in the environment or on
standard input.

Options
  --key-env NAME   the environment variable that holds the key (default GATEWAY_API_KEY; if that is not
                   set, the key is read from standard input)
  --operator us    you run the gateway: what its operator must do is your turn
  --insecure-http  allow http to a public host: the key is then sent unencrypted
  --json           print one JSON object
  -h, --help       print this

Examples
  GATEWAY_API_KEY=... gatepulse probe https://api.example.com
  gatepulse probe https://api.example.com --json < key.txt

Causes are explained in ${DOCUMENTS}/causes.md,
rules in ${DOCUMENTS}/rules.md.

${EXIT_CODES}`;

const WISHES = `  -y, --yes         ask nothing
  --name NAME       the name of the gateway (default: from its address)
  --base-url URL    its base address
  --key-env NAME    the name of its key (default: like ACME_API_KEY, from the gateway's name)
  --model ID        also send a small chat request to this model regularly, which costs money
  --channel KIND    where alerts go: slack, discord, teams, telegram, ntfy, pagerduty, alertmanager, webhook
  --no-check        send nothing: neither a check to the gateway nor a test message to the channel`;

const SECRETS = `Secrets are never arguments. The key of the gateway comes from the environment variable that --key-env names.
What a channel needs comes from variables that begin with its kind, such as SLACK_URL, DISCORD_URL,
TEAMS_URL, NTFY_URL, PAGERDUTY_KEY, ALERTMANAGER_URL, TELEGRAM_TOKEN with TELEGRAM_CHAT, and WEBHOOK_URL
with WEBHOOK_SECRET (made if it is not set). Secrets are written to .dev.vars, and nowhere else.`;

const WRITE_CODES = `Exit codes
  0    done
  1    done, but with --yes the first check of the gateway failed; or the gateway is there already
  2    wrong usage or configuration; nothing was written
  130  stopped with Ctrl-C; nothing was written
`;

export const INIT_USAGE = `Usage: gatepulse init [DIR] [options]

Makes a project in DIR (default: this directory): configuration, Worker, secrets, GitHub workflow and
Dockerfile. It asks for a gateway, checks it, suggests what to watch, asks where alerts go, and sends a test
message there. It overwrites nothing. In a project, it adds a gateway: see gatepulse add.

With --from it makes a project of a clone of Gatepulse 0.2.0 or later instead, and asks nothing. It keeps
the configuration, the secrets, the recorded data and the names in wrangler.toml. Without DIR, the clone
itself becomes the project: its own files move into a directory like gatepulse-0.2.0.

Options
${WISHES}
  --worker NAME     the name of the Worker (default: the name of the directory)
  --package SPEC    which gatepulse the project uses: a version, an address, or the path of a tarball
                    (default: this one)
  --from CLONE      a clone to make a project of
  -h, --help        print this

${SECRETS}

Examples
  gatepulse init status
  gatepulse init --from .
  ACME_API_KEY=... gatepulse init status --yes --name Acme --base-url https://api.acme.example

${WRITE_CODES}`;

export const ADD_USAGE = `Usage: gatepulse add [FILE] [options]

Adds a gateway, a channel or both to a configuration (default ./gatepulse.config.ts; a .json file works
too). The rest of the file stays as it is. It asks, and checks, what gatepulse init does.

Options
  --config FILE     the same as FILE
${WISHES}
  -h, --help        print this

${SECRETS}

Examples
  gatepulse add
  BETA_API_KEY=... gatepulse add --yes --name Beta --base-url https://api.beta.example

${WRITE_CODES}`;

export const EXPLAIN_USAGE = `Usage: gatepulse explain [FILE] [options]

Says what the answer of a gateway means, whose turn it is, whether to try again, and what to send to
support. Pass the answer as a file or on standard input, at most 8 MiB. It can be the output of curl -i,
a body, JSON with a status, headers and a body, an exchange of a HAR file, an error that a client printed
in Python or Node, an event stream, or the record of a task. Nothing is sent or stored.

Secrets are removed from the output. That covers what looks like a secret, and the values of
GATEWAY_API_KEY, of other environment variables with secret names, and of .dev.vars in the working
directory.

Options
  --kind KIND     what you asked for: models, chat, messages, embeddings, image, task (its creation or its
                  record), console, stream (an event stream). Default: a guess
  --operator us   you run the gateway: what its operator must do is your turn
  --key-env NAME  one more environment variable that holds a secret
  --verbose       also print which rule decided
  --json          print one JSON object
  -h, --help      print this

Examples
  curl -i https://api.example.com/v1/models | gatepulse explain
  gatepulse explain traceback.txt
  gatepulse explain answer.json --kind chat --json

What you can paste, with examples: ${DOCUMENTS}/explain.md

${EXIT_CODES}`;

export const CHECK_USAGE = `Usage: gatepulse check [FILE]

Checks a configuration (default ./gatepulse.config.ts; a .json file of the same shape works too). Prints
every problem with its path and fix, likely mistakes, how many requests a day canaries may send, and
which secrets are not set on this machine (in .dev.vars beside it, or in the environment). Sends nothing
and prints no secret.

Options
  --config FILE  the same as FILE
  -h, --help     print this

Exit codes
  0  the configuration is valid
  1  it is, but a secret on this machine cannot be right
  2  it has problems, or cannot be read
`;

export const PLAN_USAGE = `Usage: gatepulse plan [FILE] [options]

Says whether the free plan of Cloudflare Workers is enough for a configuration (default
./gatepulse.config.ts; a .json file of the same shape works too), what it uses per day, and what it costs
on the paid plan. Sends nothing.

Options
  --config FILE  the same as FILE
  --views N      page views and API requests per day that no cache answers (default 0)
  --incidents N  incidents per day (default 0)
  --json         print one JSON object
  -h, --help     print this

Examples
  gatepulse plan
  gatepulse plan gatepulse.config.json --views 5000 --incidents 10
  gatepulse plan --json

How the figures are calculated: ${DOCUMENTS}/plan.md

Exit codes
  0  the configuration is valid, whether the free plan allows it or not
  2  it has problems, or cannot be read
`;

export const START_USAGE = `Usage: gatepulse start [FILE] [options]

Runs the whole monitor on this machine with a configuration (default ./gatepulse.config.ts; a .json file of
the same shape works too). Secrets are in .dev.vars beside it, or in the environment, which wins. The page
is updated after each check. A line is printed when an incident opens, changes or ends, and at the start
for each that is open. Ctrl+C stops it.

Without gateways in the configuration it shows a demo: simulated gateways with 90 days of made-up history,
and one that fails while you watch: its incident opens within a minute. The demo starts over each time. It
keeps its data in DIR/demo, apart from yours.

Options
  --config FILE       the same as FILE
  --port N            where the status page listens (default 8787; 0: any free port)
  --host ADDRESS      on which address (default 127.0.0.1: this machine only)
  --tick SECONDS      from check to check, 1 to 3600 (default 60)
  --persist DIR       where state and history are kept (default .gatepulse)
  --simulator-port N  where simulated gateways listen (default: any free port)
  -h, --help          print this

Exit codes
  0  it was stopped
  1  it could not start, or its runtime ended
  2  wrong usage or configuration, or DIR is in use
`;

export const BUILD_USAGE = `Usage: gatepulse build [FILE]

Builds the Worker from src/index.ts and a configuration (default ./gatepulse.config.ts), into .gatepulse/.
It contains only the kinds of alert channels that the configuration uses, and canaries if it has any.
wrangler.toml runs this before each deploy.

Options
  --config FILE  the same as FILE
  -h, --help     print this

Exit codes
  0  done
  2  the configuration has problems, or cannot be read; or wrangler would deploy without a queue that is needed
`;

export const UPGRADE_USAGE = `Usage: gatepulse upgrade [FILE] [options]

Brings the project in the working directory to a newer version of gatepulse. Shows first what changes: the
changelog, the files, the versions in package.json, and faults that the new version finds in the
configuration (FILE, default ./gatepulse.config.ts). Then it asks, saves a backup of the recorded data and
the originals of the files, changes the files, installs, and checks the configuration. Your own changes in
the files stay. At its end it prints how to go back. If it is interrupted, run it again.

Options
  --config FILE  the same as FILE
  --to SPEC      a version, the path of a tarball, or its address (default: the newest version)
  --yes, -y      do not ask
  --persist DIR  where gatepulse start keeps its data (default .gatepulse)
  --url ADDRESS  also save a deployed Gatepulse (default GATEPULSE_URL); ADMIN_TOKEN comes from the
                 environment
  -h, --help     print this

Exit codes
  0  done, or there is nothing to do
  1  it failed, or the configuration has faults
  2  wrong usage; nothing was changed
`;

export const TEMPLATE_USAGE = `Usage: gatepulse template ANSWERS

Prints the files of a project as JSON. A newer version asks for them when it upgrades a project.
`;

export const DEPLOY_USAGE = `Usage: gatepulse deploy [FILE] [options]

Deploys the project in the working directory with its own wrangler. First it checks the configuration
(default ./gatepulse.config.ts) and says whether your plan is enough. Then it uploads the Worker with the
secrets that the configuration names, as far as .dev.vars or the environment sets them. Then it waits
until the page shows a result of each gateway, at most 3 minutes, and prints the address.

With several lanes or shards it also creates the queue that they need.

Log in with npx wrangler login. In CI, set CLOUDFLARE_API_TOKEN and CLOUDFLARE_ACCOUNT_ID instead.

Options
  --config FILE  the same as FILE
  --dry-run      do everything but the upload; this needs no account and no network
  --yes          deploy even if the free plan is not enough
  -h, --help     print this

Exit codes
  0  deployed
  1  wrangler failed, or a secret on this machine cannot be right
  2  wrong usage or configuration, or the free plan is not enough; nothing was deployed
  130  stopped with Ctrl-C
`;

export const ADMIN_USAGE = `Usage: gatepulse admin <verb> [WHAT] [options]

Asks a running Gatepulse to do something. ADMIN_TOKEN comes from the environment, never from an argument.
WHAT is the id of an incident, a gateway (acme) or a monitor (acme/models). Prints the answer as JSON.

Verbs
  show WHAT                        an open incident, or what is paused at a gateway
  acknowledge INCIDENT             stops reminders
  silence INCIDENT                 sends nothing but the end
  check WHAT                       checks with the next tick
  pause WHAT, resume WHAT          a gateway or a monitor
  plan [GATEWAY ...]               plans maintenance, for all gateways if none is named
  note INCIDENT TEXT               adds a note
  delete-note INCIDENT INSTANT     deletes it

Options
  --url ADDRESS    the address of the status page (default GATEPULSE_URL)
  --by NAME        your name, for the timeline; it is public
  --for LENGTH     how long, like 2h: of silence, pause and plan
  --until INSTANT  instead of --for, of silence and pause; without both there is no end
  --from INSTANT   when maintenance begins (default now)
  --to INSTANT     when it ends, instead of --for
  --title TEXT     of maintenance; it is public
  --private        only administrators see the note
  -h, --help       print this

Examples
  gatepulse admin acknowledge acme.models-20261120t080000z --by Anna
  gatepulse admin pause acme --for 2h

Exit codes
  0  done
  1  Gatepulse does not answer, or failed
  2  wrong usage, or refused
`;

export const BACKUP_USAGE = `Usage: gatepulse backup FILE [options]

Saves everything that Gatepulse recorded: checks, history, incidents, and alerts that are still to be sent.
It saves no secret and no configuration. Without --url it saves what gatepulse start recorded on this
machine; stop that first. With --url it saves a running Gatepulse, deployed or local; ADMIN_TOKEN comes
from the environment.

Options
  --url ADDRESS  the address of the status page
  --persist DIR  where gatepulse start keeps its data (default .gatepulse)
  --force        overwrites FILE
  -h, --help     print this

Examples
  gatepulse backup gatepulse.backup
  ADMIN_TOKEN=... gatepulse backup gatepulse.backup --url https://status.example.com

Exit codes
  0  saved
  1  not saved
  2  wrong usage
`;

export const RESTORE_USAGE = `Usage: gatepulse restore FILE [options]

Loads a backup into an installation that has recorded nothing: on this machine, or with --url a running
Gatepulse, deployed or local; ADMIN_TOKEN comes from the environment. The whole file is verified first. A
file that was altered or cut off changes nothing. If the restore breaks off, nothing is checked or sent
until you run it again.

Stop the old installation first, or alerts are sent twice.

Options
  --url ADDRESS  the address of the status page
  --persist DIR  where gatepulse start keeps its data (default .gatepulse)
  --replace      deletes what the installation has recorded
  -h, --help     print this

Examples
  gatepulse restore gatepulse.backup
  ADMIN_TOKEN=... gatepulse restore gatepulse.backup --url https://status.example.com --replace

Exit codes
  0  restored
  1  not restored
  2  wrong usage
`;
