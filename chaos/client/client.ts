import { Redisson } from '../../src/index.js'
import { hear, tell } from '../../test/support/child-side.js'
import { eventually } from '../../test/support/eventually.js'
import { RunClock } from '../clock.js'
import { Journal } from '../journal.js'
import { Random } from '../random.js'
import { doorsOf } from './doors.js'
import { Flow } from './flow.js'
import { GuardedSet } from './guarded-set.js'
import { Recorder } from './recorder.js'
import type { ClientSettings } from './settings.js'

/** A client may be started while a server is away. */
const CONNECTED_WITHIN_MS = 60_000

const settings = JSON.parse(process.argv[2] ?? '') as ClientSettings
const { lock, names, leaseMs, syncedReplicas } = settings
const journal = new Journal(settings.journal)
const recorder = new Recorder(journal, new RunClock(BigInt(settings.origin)), settings.process)
const random = new Random(settings.seed)
const set = new GuardedSet(settings.resource)
const clients = await Promise.all(
  settings.connections.map((connection) =>
    eventually(() => Redisson.create(connection), { what: 'a connection', withinMs: CONNECTED_WITHIN_MS }),
  ),
)
const replicas = syncedReplicas > 0 ? { syncedReplicas } : {}
const doors = names.flatMap((name) => doorsOf(lock, name, clients, replicas))
const flows = Array.from(
  { length: settings.flows },
  (_, index) => new Flow({ index, doors, set, recorder, random: new Random(random.seed()), leaseMs }),
)

void stallWhenTold()
const settled = Promise.all(flows.map((flow) => flow.run()))
tell('ready')
await Promise.race([hear('settle'), settled]) // a flow that fails ends the process
for (const flow of flows) flow.settle()
await settled
tell('settled')
await hear('stop')
await Promise.all(clients.map((client) => client.shutdown()))
set.close()
journal[Symbol.dispose]()
tell('done')

/** Keeps the event loop busy, so that nothing else happens in this process. */
async function stallWhenTold(): Promise<void> {
  for (;;) {
    const { ms } = await hear('stall')
    const until = performance.now() + Number(ms)
    while (performance.now() < until);
    tell('stalled')
  }
}
