import { spawn, spawnSync } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { protect, temporaryFolder } from '../support/launch/guard.js'

/** The names of the browser on various systems. */
const NAMES = ['chromium', 'chromium-browser', 'google-chrome']

/** Where the browser is; undefined if it is not installed. */
export function findBrowser(): string | undefined {
  return NAMES.find((name) => spawnSync(name, ['--version']).status === 0)
}

/** Without the sandbox, which no container has: the pages are our own. */
const FLAGS = ['--headless', '--no-sandbox', '--disable-gpu', '--hide-scrollbars', '--remote-debugging-pipe']

/** What a request of the DevTools protocol returns. */
type Reply = Readonly<Record<string, unknown>>

/** A message of the protocol: a reply, if it has an id, and otherwise an event. */
interface Message {
  readonly id?: number
  readonly sessionId?: string
  readonly method?: string
  readonly result?: Reply
  readonly error?: { readonly message: string }
}

/** A headless browser, controlled by the DevTools protocol over a pipe. */
export class Browser implements AsyncDisposable {
  readonly #process
  readonly #input: Writable
  readonly #waiting = new Map<number, PromiseWithResolvers<Reply>>()
  readonly #events = new Map<string, () => void>()
  #requests = 0

  constructor(program: string) {
    const flags = [...FLAGS, `--user-data-dir=${temporaryFolder()}`]
    this.#process = spawn(program, flags, { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] })
    protect(this.#process)
    this.#input = this.#process.stdio[3] as Writable
    let rest = ''
    ;(this.#process.stdio[4] as Readable).setEncoding('utf8').on('data', (chunk: string) => {
      const messages = (rest + chunk).split('\0')
      rest = messages.pop() ?? ''
      for (const message of messages) this.#receive(JSON.parse(message) as Message)
    })
  }

  /** Opens a page as wide as a screen. */
  async open(url: string, width: number): Promise<BrowserPage> {
    const { targetId } = await this.send('Target.createTarget', { url: 'about:blank' })
    const { sessionId } = await this.send('Target.attachToTarget', { targetId, flatten: true })
    const page = new BrowserPage(this, String(sessionId))
    await page.send('Page.enable')
    await page.send('Emulation.setDeviceMetricsOverride', {
      width,
      height: 900,
      deviceScaleFactor: 1,
      mobile: width < 600,
    })
    await page.go(url)
    return page
  }

  async send(method: string, params: object = {}, sessionId?: string): Promise<Reply> {
    const id = (this.#requests += 1)
    const reply = Promise.withResolvers<Reply>()
    this.#waiting.set(id, reply)
    this.#input.write(`${JSON.stringify({ id, method, params, ...(sessionId && { sessionId }) })}\0`)
    return await reply.promise
  }

  /** Resolves when a page emits an event. */
  async event(method: string, sessionId: string): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#events.set(`${sessionId} ${method}`, resolve)
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const exited = new Promise((resolve) => this.#process.once('exit', resolve))
    this.#process.kill('SIGKILL')
    await exited
  }

  #receive({ id, sessionId, method, result, error }: Message): void {
    if (id === undefined) {
      this.#events.get(`${String(sessionId)} ${String(method)}`)?.()
      return
    }
    const reply = this.#waiting.get(id)
    this.#waiting.delete(id)
    if (error) reply?.reject(new Error(error.message))
    else reply?.resolve(result ?? {})
  }
}

/** A page in a {@link Browser}. */
export class BrowserPage {
  readonly #browser: Browser
  readonly #session: string

  constructor(browser: Browser, session: string) {
    this.#browser = browser
    this.#session = session
  }

  /** Goes to an address, and resolves when the page is loaded. */
  async go(url: string): Promise<void> {
    const loaded = this.#browser.event('Page.loadEventFired', this.#session)
    await this.send('Page.navigate', { url })
    await loaded
  }

  /** The value of an expression, or what its promise resolves with. */
  async evaluate(expression: string): Promise<unknown> {
    const { result, exceptionDetails } = await this.send('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
    })
    if (exceptionDetails !== undefined)
      throw new Error(`The page has thrown: ${JSON.stringify(exceptionDetails)}`)
    return (result as { readonly value?: unknown }).value
  }

  /** Clicks on the middle of an element. */
  async click(selector: string): Promise<void> {
    const [x, y] = (await this.evaluate(`(() => {
      const { left, top, width, height } = document.querySelector('${selector}').getBoundingClientRect()
      return [left + width / 2, top + height / 2]
    })()`)) as [number, number]
    for (const type of ['mousePressed', 'mouseReleased'])
      await this.send('Input.dispatchMouseEvent', { type, x, y, button: 'left', clickCount: 1 })
  }

  /** Types a text where the focus is. */
  async type(text: string): Promise<void> {
    await this.send('Input.insertText', { text })
  }

  async send(method: string, params: object = {}): Promise<Reply> {
    return await this.#browser.send(method, params, this.#session)
  }
}
