import type { Redis } from 'ioredis'
import type { Item, Topics } from './values.js'

/** Ends a loop that waits for elements. */
const END = 'end'

const GROUP = 'group'
const FIELD = 'item'

/** Lists, and one loop of BLPOP. */
export function listsAsQueues(redis: Redis, blocked: Redis, prefix = ''): Topics {
  return {
    publish: (name, item) => redis.rpush(prefix + name, JSON.stringify(item)),
    listen: (name, listener) => {
      const loop = async (): Promise<void> => {
        for (;;) {
          const [, text = END] = (await blocked.blpop(prefix + name, 0)) ?? []
          if (text === END) return
          listener(JSON.parse(text) as Item)
        }
      }
      const over = loop()
      return Promise.resolve(async () => {
        await redis.rpush(prefix + name, END)
        await over
      })
    },
  }
}

/** A stream, and the loop of XREADGROUP and XACK that programs write by hand. */
export function streams(redis: Redis, blocked: Redis): Topics {
  const keyOf = (name: string) => `plain:${name}`
  return {
    publish: (name, item) => redis.xadd(keyOf(name), '*', FIELD, JSON.stringify(item)),
    listen: async (name, listener) => {
      const key = keyOf(name)
      await redis.xgroup('CREATE', key, GROUP, '$', 'MKSTREAM').catch(() => undefined) // it is there from the second time on
      const loop = async (): Promise<void> => {
        for (;;) {
          const [[, messages] = ['', []]] = (await readGroup(blocked, key)) ?? []
          const items = messages.map(([, fields]) => fields[1] ?? END)
          for (const text of items) if (text !== END) listener(JSON.parse(text) as Item)
          await redis.xack(key, GROUP, ...messages.map(([id]) => id))
          if (items.includes(END)) return
        }
      }
      const over = loop()
      return async () => {
        await redis.xadd(key, '*', FIELD, END)
        await over
      }
    },
  }
}

type Message = readonly [id: string, fields: readonly string[]]

async function readGroup(blocked: Redis, key: string): Promise<(readonly [string, Message[]])[] | null> {
  const reply = await blocked.xreadgroup('GROUP', GROUP, 'one', 'COUNT', 100, 'BLOCK', 0, 'STREAMS', key, '>')
  return reply as (readonly [string, Message[]])[] | null
}
