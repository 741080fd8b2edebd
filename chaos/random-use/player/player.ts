import type * as Library from '../../../src/index.js'
import { hear, tell } from '../../../test/support/child-side.js'
import { RunClock } from '../../clock.js'
import { Journal } from '../../journal.js'
import { RawView } from './raw.js'
import { RoundProcess } from './round-process.js'
import type { PlayerSettings } from './settings.js'

const settings = JSON.parse(process.argv[2] ?? '') as PlayerSettings
const library = (await (settings.library === undefined
  ? import('../../../src/index.js')
  : import(settings.library))) as typeof Library
const journal = new Journal(settings.journal)
const clock = new RunClock(BigInt(settings.origin))
using raw = RawView.connect(
  settings.servers,
  settings.others.map(({ server }) => server),
)
const own = await RoundProcess.open({ library, settings, journal, clock, raw, claims: new Set() })
for (const event of ['unhandledRejection', 'uncaughtException'] as const) {
  process.on(event, (error) => {
    own.trouble(`${event}: ${error instanceof Error ? (error.stack ?? '') : String(error)}`)
  })
}
tell('ready')
const { ms } = await hear('play')
await own.play(Number(ms))
tell('played')
await hear('stop')
await own.close()
journal[Symbol.dispose]()
tell('done')
