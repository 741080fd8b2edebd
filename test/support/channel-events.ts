import { tracingChannel } from 'node:diagnostics_channel'

export type ChannelEvent<T> = readonly [event: string, trace: T]

/** Keeps the events of a tracing channel until it is disposed of, each with what was known by then. */
export class ChannelEvents<T extends object> implements Disposable {
  readonly all: ChannelEvent<T>[] = []
  readonly #end: () => void

  constructor(name: string) {
    const hear = (event: string) => (trace: object) => {
      this.all.push([event, { ...(trace as T) }])
    }
    const subscribers = {
      start: hear('start'),
      end: hear('end'),
      asyncStart: hear('asyncStart'),
      asyncEnd: hear('asyncEnd'),
      error: hear('error'),
    }
    const channel = tracingChannel(name)
    channel.subscribe(subscribers)
    this.#end = () => {
      channel.unsubscribe(subscribers)
    }
  }

  /** The events alone, in their order. */
  get names(): string[] {
    return this.all.map(([event]) => event)
  }

  get last(): T | undefined {
    return this.all.at(-1)?.[1]
  }

  [Symbol.dispose](): void {
    this.#end()
  }
}
