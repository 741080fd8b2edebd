import { expect, it } from 'vitest'
import { LeakCheck } from './leak-check.js'
import { everyTopology } from './topologies.js'

// Before any hook runs, as if another file had left it.
const nodes = everyTopology.flatMap((topology) => topology.nodes)
const written = await Promise.allSettled(nodes.map((node) => node.command('SET', 'left', '1')))

it('a file finds no key that another has left', async () => {
  expect(written.filter(({ status }) => status === 'fulfilled')).toHaveLength(everyTopology.length)
  await new LeakCheck().finish(nodes)
})
