/** A process that waits for the hand-off of its element, or for elements, until it is killed. */
import { Redisson, type RedissonOptions } from '../../../src/index.js'
import { tell } from '../../support/child-side.js'

const [options = '', name = '', role = ''] = process.argv.slice(2)
const client = await Redisson.create(JSON.parse(options) as RedissonOptions)
const queue = client.getTransferQueue<string>(name)
tell('begins')
if (role === 'producer') await queue.transfer('a')
else await queue.take()
tell('ends')
