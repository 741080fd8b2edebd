import type { RScript, ScriptMode, ScriptResults } from './script.api.js'
import type { RunOptions } from '../../command/operation/command-executor.js'
import { defineScript, knownScript, type Script } from '../../command/operation/script.js'
import { demandName } from '../../core/arguments/arguments.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import type { ValueSettings } from '../../core/arguments/object-settings.js'
import { refuseSurplus, ANY_NUMBER } from '../../core/arguments/options.js'
import { UnsupportedCommandError } from '../../errors/topic-errors.js'
import { inspectShort } from '../../util/inspect-short.js'
import { showOnly } from '../../util/show-only.js'
import { CodeCalls, type Returns } from '../shared/code-calls.js'
import { codeFailure, isUnknown } from '../shared/code-failures.js'
import * as commands from './script.commands.js'
import { CLIENTS } from '../../util/refused-calls.js'

/** What any script takes. */
const NAMES = { keys: ['...keys'], args: ['...values'] } as const

const SHA = /^[0-9a-f]{40}$/i

/** Scripts of the program's own. */
export class RedissonScript<V> implements RScript<V> {
  static {
    showOnly(this, 'RScript', () => ({}))
    refuseSurplus(this, {
      eval: ANY_NUMBER,
      evalSha: ANY_NUMBER,
      scriptLoad: 'a script is one text',
      scriptExists: ANY_NUMBER,
      scriptFlush: 'all scripts are forgotten',
    })
  }

  readonly #context: ObjectContext
  readonly #calls: CodeCalls<V>
  readonly #options: RunOptions

  constructor(context: ObjectContext, { codec, run }: ValueSettings<V>) {
    this.#context = context
    this.#calls = new CodeCalls(context, codec, 'a script')
    this.#options = run
  }

  get [CLIENTS](): readonly AbortSignal[] {
    return [this.#context.closing]
  }

  async eval<R extends Returns<V>>(
    mode: ScriptMode,
    lua: string,
    returns: R,
    keys: readonly string[] = [],
    ...values: readonly V[]
  ): Promise<ScriptResults<V>[R]> {
    const face = { ...NAMES, ...this.#calls.face(mode, returns) }
    demandName('`lua` to be', lua)
    if (mode === 'READ_WRITE' && this.#options.exactlyOnce === true && lua.startsWith('#!'))
      throw new TypeError('Expected `lua` to have no first line with #! beside `exactlyOnce`')
    return await this.#run(defineScript('eval', { lua, ...face }), keys, values, this.#options)
  }

  async evalSha<R extends Returns<V>>(
    mode: ScriptMode,
    sha: string,
    returns: R,
    keys: readonly string[] = [],
    ...values: readonly V[]
  ): Promise<ScriptResults<V>[R]> {
    const face = { ...NAMES, ...this.#calls.face(mode, returns) }
    demandSha(sha)
    return await this.#run(knownScript('evalsha', sha, face), keys, values, {})
  }

  async scriptLoad(lua: string): Promise<string> {
    demandName('`lua` to be', lua)
    const [sha = ''] = await this.#context.masters.sendToAll(commands.load, {
      keys: {},
      args: { source: lua },
    })
    return sha
  }

  async scriptExists(...shas: string[]): Promise<boolean[]> {
    shas.forEach(demandSha)
    if (shas.length === 0) return []
    const known = await this.#context.masters.sendToAll(commands.exists, { keys: {}, args: { shas } })
    return shas.map((_, index) => known.every((at) => at[index] === true))
  }

  async scriptFlush(): Promise<void> {
    await this.#context.masters.sendToAll(commands.flush, { keys: {}, args: {} })
  }

  async #run<R>(
    script: Script<'...keys', '...values', R>,
    names: readonly string[],
    values: readonly V[],
    options: RunOptions,
  ): Promise<R> {
    const reply = this.#context.executor.run(script, this.#calls.given(names, values), options)
    return await reply.catch((error: unknown) => {
      throw script.readOnly === true && isUnknown(error, 'evalsha_ro')
        ? new UnsupportedCommandError('READ_ONLY', 'Redis 7', { cause: error })
        : codeFailure(error, script.name)
    })
  }
}

function demandSha(sha: unknown): void {
  if (typeof sha === 'string' && SHA.test(sha)) return
  throw new TypeError(`Expected \`sha\` to be a hash of 40 hexadecimal digits, got ${inspectShort(sha)}`)
}
