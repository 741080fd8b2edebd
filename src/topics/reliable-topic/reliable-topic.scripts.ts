import { boolean, integer, list, text, tuple, unread } from '../../command/operation/replies.js'
import { defineScript } from '../../command/operation/script.js'
import restOfLua from '../../core/lua/rest-of.lua'
import serverTimeLua from '../../core/lua/server-time.lua'
import buryLua from './lua/bury.lua'
import countSubscribersLua from './lua/count-subscribers.lua'
import groupsLua from './lua/groups.lua'
import historyLua from './lua/history.lua'
import idsLua from './lua/ids.lua'
import leaveLua from './lua/leave.lua'
import nextLua from './lua/next.lua'
import publishLua from './lua/publish.lua'
import removeSubscriberLua from './lua/remove-subscriber.lua'
import renewLua from './lua/renew.lua'
import seekLua from './lua/seek.lua'
import setHistoryLua from './lua/set-history.lua'
import subscribeLua from './lua/subscribe.lua'
import sweepLua from './lua/sweep.lua'

const common = [serverTimeLua, idsLua, groupsLua] as const
const keys = ['stream', 'timeouts'] as const

/** How many subscribers there are. */
export const publish = defineScript('reliable-topic/publish', {
  lua: [...common, publishLua],
  keys,
  args: ['message'],
  reply: integer,
  repeat: 'counting',
})

/** Whether this process is active (1), whether the subscriber is new (1), and which message was delivered without an end, how often. */
export const subscribe = defineScript('reliable-topic/subscribe', {
  lua: [...common, subscribeLua],
  keys,
  args: ['name', 'position', 'lease', 'timeoutMs'],
  reply: tuple(integer, integer, text, integer),
  repeat: 'counting',
})

const nextOf = {
  lua: [restOfLua, ...common, nextLua],
  keys,
  args: ['most', '...rows'],
  reply: tuple(list(unread), list(list(unread))),
} as const

/** How it went for each subscriber, and what comes next: see its file. A copy that comes late counts no delivery. */
export const next = defineScript('reliable-topic/next', { ...nextOf, repeat: 'counting' })

/** The same where nothing is read. */
export const acknowledge = defineScript('reliable-topic/acknowledge', { ...nextOf, repeat: 'idempotent' })

/** How it went: 1, 0 without a subscriber or if it is elsewhere, -1 if another process may be active. */
export const bury = defineScript('reliable-topic/bury', {
  lua: [...common, buryLua],
  keys: ['stream', 'timeouts', 'dead'],
  args: ['name', 'lease', 'expected', 'id'],
  reply: integer,
  repeat: 'idempotent',
})

/** Whether there was one (1). */
export const leave = defineScript('reliable-topic/leave', {
  lua: [...common, leaveLua],
  keys,
  args: ['name', 'lease', 'expected', 'upTo', 'open', 'known', 'calls'],
  reply: integer,
  repeat: 'idempotent',
})

/** Which subscribers are still there (1). */
export const renew = defineScript('reliable-topic/renew', {
  lua: [restOfLua, serverTimeLua, renewLua],
  keys: ['...timeouts'],
  args: ['leaseMs', '...members'],
  reply: list(integer),
  repeat: 'idempotent',
})

/** How many subscribers there are. */
export const countSubscribers = defineScript('reliable-topic/count-subscribers', {
  lua: [...common, countSubscribersLua],
  keys,
  args: [],
  reply: integer,
  repeat: 'safe',
})

/** How many subscribers were removed. */
export const sweep = defineScript('reliable-topic/sweep', {
  lua: [...common, sweepLua],
  keys,
  args: [],
  reply: integer,
  repeat: 'idempotent',
})

/** Whether there is such a subscriber. */
export const seek = defineScript('reliable-topic/seek', {
  lua: [...common, seekLua],
  keys: ['stream'],
  args: ['name', 'position'],
  reply: boolean,
  repeat: 'idempotent',
})

/** Whether there was such a subscriber. */
export const removeSubscriber = defineScript('reliable-topic/remove-subscriber', {
  lua: [...common, removeSubscriberLua],
  keys,
  args: ['name'],
  reply: boolean,
  repeat: 'idempotent',
  unchanged: false,
})

/** Done. */
export const setHistory = defineScript('reliable-topic/set-history', {
  lua: [...common, setHistoryLua],
  keys: ['stream'],
  args: ['historyMs'],
  reply: integer,
  repeat: 'idempotent',
})

/** How many milliseconds. */
export const history = defineScript('reliable-topic/history', {
  lua: [...common, historyLua],
  keys: ['stream'],
  args: [],
  reply: integer,
  repeat: 'safe',
})
