import { install } from './world/install.js'

// Before the library and ioredis are imported, which keep what they find then.
install()

const { main } = await import('./rounds/main.js')
process.exitCode = await main(process.argv.slice(2))
