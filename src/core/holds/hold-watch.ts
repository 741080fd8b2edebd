import { Alarm } from '../../util/time/alarm.js'
import { withoutAsyncContext } from '../../util/time/without-async-context.js'

/** What an acquisition has come to hold. */
export interface Held {
  /** What it is, such as `Lock orders`. */
  readonly what: string
  readonly owner: string
  /** Whether the watchdog renews it, so that it never ends by itself. */
  readonly isRenewed: () => boolean
}

/** One acquisition that is expected to be released, from the call on. */
export class WatchedHold {
  readonly #watch: HoldWatch
  /** As text, because an error keeps the objects alive whose methods are on the stack, and so perhaps the hold. */
  readonly #stack: string
  #held: Held | undefined
  #since = 0

  constructor(watch: HoldWatch, stack: string) {
    this.#watch = watch
    this.#stack = stack
  }

  /** When it was taken, on the monotonic clock. */
  get since(): number {
    return this.#since
  }

  /** It was taken. */
  start(held: Held): void {
    this.#held = held
    this.#since = performance.now()
    this.#watch.add(this)
  }

  /** Follows the object by which the program can release it. */
  follow(handle: object): void {
    this.#watch.follow(this, handle)
  }

  /** It was released, or lost. */
  stop(): void {
    this.#held = undefined
    this.#watch.remove(this)
  }

  /** Reports that it has been held for too long. */
  reportLong(): void {
    this.#report('and was not released')
  }

  /** Reports that the program has no means left to release it. A lease that ends by itself may be meant to be left alone. */
  reportUnreachable(): void {
    if (this.#held?.isRenewed() === true)
      this.#report('and cannot be released: its hold was garbage-collected')
  }

  #report(why: string): void {
    if (this.#held === undefined) return
    const { what, owner } = this.#held
    const heldMs = Math.round(performance.now() - this.#since)
    this.stop()
    const message = `${what} has been held by ${owner} for ${heldMs} ms ${why}`
    const detail = `It was acquired\n${this.#stack}`
    withoutAsyncContext(() => {
      process.emitWarning(message, { code: 'REDISSON_HOLD_FORGOTTEN', detail })
    })
  }
}

/**
 * Reports holds that were forgotten: those that are held for longer than they should be, and those whose handle was
 * garbage-collected before they were released. Each is reported once.
 */
export class HoldWatch {
  readonly #longestMs: number
  /** Those that are held, the oldest first. */
  readonly #holds = new Set<WatchedHold>()
  readonly #handles = new FinalizationRegistry<WatchedHold>((hold) => {
    hold.reportUnreachable()
  })
  readonly #alarm = new Alarm(() => {
    this.#look()
  })
  #closed = false

  constructor(longestMs: number) {
    this.#longestMs = longestMs
  }

  /** To be called in the synchronous part of an acquiring call, where the stack still says who calls. */
  expect(): WatchedHold {
    const stack = String(new Error().stack) // a program may have made something else of it
    return new WatchedHold(this, fromCaller(stack.split('\n').slice(1)).join('\n'))
  }

  add(hold: WatchedHold): void {
    if (this.#closed) return
    this.#holds.add(hold)
    this.#alarm.setFor(hold.since + this.#longestMs)
  }

  remove(hold: WatchedHold): void {
    this.#holds.delete(hold)
    this.#handles.unregister(hold)
  }

  follow(hold: WatchedHold, handle: object): void {
    if (!this.#closed) this.#handles.register(handle, hold, hold)
  }

  close(): void {
    this.#closed = true
    this.#alarm.clear()
    for (const hold of this.#holds) this.remove(hold)
  }

  #look(): void {
    const before = performance.now() - this.#longestMs
    for (const hold of this.#holds) {
      if (hold.since > before) {
        this.#alarm.setFor(hold.since + this.#longestMs)
        return
      }
      hold.reportLong()
    }
  }
}

/** Where this is, in the sources and in the package: all of this library is in the folder that the path begins with. */
const OWN_PATH = /core\/holds\/hold-watch\.\w+$|core\.cjs$/

/** The frames of a stack from the one on that has called this library; all of them where a program has made one file of both. */
function fromCaller(frames: readonly string[]): readonly string[] {
  const own = fileOf(frames[0])
  const root = own.replace(OWN_PATH, '')
  const caller = frames.findIndex((frame) => !fileOf(frame).startsWith(root))
  return frames.slice(Math.max(caller, 0))
}

/** The file of a frame, without line and column. */
function fileOf(frame = ''): string {
  return /([^\s(]+?)(?::\d+)*\)?$/.exec(frame)?.[1] ?? ''
}
