import { single } from '../../../../support/topologies.js'

/** The messages are those of one version. */
const VERSION = /redis_version:7\.0\./

/** Whether the server of the tests is of the version that the interpreter does as. */
export const isSameVersion = VERSION.test(String(await single.nodes[0].command('INFO', 'server')))
