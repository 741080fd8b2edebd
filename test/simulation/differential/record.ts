import { install } from '../world/install.js'

// Before the library and ioredis are imported, which keep what they find then.
install()

const { recordRounds } = await import('./record-rounds.js')
await recordRounds(process.argv.slice(2))
