import { createInterface } from 'node:readline'
import type { ChildMessage } from './child.js'

const unheard: ChildMessage[] = []
const listeners: { readonly event: string; readonly resolve: (message: ChildMessage) => void }[] = []

const lines = createInterface(process.stdin)
lines.on('line', (line) => {
  take(JSON.parse(line) as ChildMessage)
})
lines.on('close', () => {
  process.exit() // the parent is gone
})

/** Reports to the test that something happened here. */
export function tell(event: string, facts: Readonly<Record<string, unknown>> = {}): void {
  process.stdout.write(`${JSON.stringify({ event, ...facts })}\n`)
}

/** Resolves with the next message of the test about an event that was not heard yet. */
export async function hear(event: string): Promise<ChildMessage> {
  const index = unheard.findIndex((message) => message.event === event)
  const [message] = index === -1 ? [] : unheard.splice(index, 1)
  return message ?? new Promise((resolve) => listeners.push({ event, resolve }))
}

function take(message: ChildMessage): void {
  const index = listeners.findIndex(({ event }) => event === message.event)
  const [listener] = index === -1 ? [] : listeners.splice(index, 1)
  if (listener) listener.resolve(message)
  else unheard.push(message)
}
