import { beforeAll } from 'vitest'
import { askAll } from '../ask-all.js'
import { clear } from '../leak-check.js'
import { everyTopology } from '../topologies.js'

/** Keys that the file before has left, such as replies that are kept for a minute, would be taken for leaks of the file that comes now. */
beforeAll(async () => {
  await askAll(
    everyTopology.flatMap(({ nodes }) => nodes),
    (node) => clear(node),
  )
})
