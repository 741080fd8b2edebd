import type { RStream } from './stream.api.js'
import type {
  StreamAutoClaim,
  StreamConsumerInfo,
  StreamFastAutoClaim,
  StreamGroup,
  StreamMessage,
  StreamPendingEntry,
  StreamPendingInfo,
} from './stream-data.api.js'
import type { StreamConsumerOptions, StreamDelivery } from './stream-consumer.api.js'
import type {
  StreamAutoClaimOptions,
  StreamClaimOptions,
  StreamGroupOptions,
  StreamPendingOptions,
  StreamReadGroupOptions,
} from './stream-options.api.js'
import { demandTurns, FROM_MASTER, type RunOptions } from '../../command/operation/command-executor.js'
import { ANY_NUMBER, refuseSurplus } from '../../core/arguments/options.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import { asEnded } from '../../core/holds/ended-calls.js'
import { NoSuchObjectError } from '../../errors/object-errors.js'
import { eitherSignal } from '../../util/abort/either-signal.js'
import type { KeyWaiters } from '../../waiting/key-waiters.js'
import { consumerSettings } from './consumer/consumer-settings.js'
import { GroupRequests } from './consumer/group-requests.js'
import {
  autoClaiming,
  checkedId,
  checkedIds,
  claiming,
  consumerName,
  countWords,
  groupBeginning,
  groupName,
  groupReading,
  pendingWords,
  type StreamSettings,
} from './stream-arguments.js'
import * as commands from './stream.commands.js'
import { consumptionOf } from './consumer/consumption.js'
import { isMissingGroup, isMissingKey, ofGroup } from './stream-failures.js'
import { RedissonStreamMessages } from './stream-messages.js'
import * as scripts from './stream.scripts.js'
import { deliverInTime } from './stream-waits.js'
import { reasonField } from './consumer/dead-letters.js'

const ONE_OPTIONS = 'all else is one object of options'

/** A stream of Redis. */
export class RedissonStream<K, V> extends RedissonStreamMessages<K, V> implements RStream<K, V> {
  static {
    refuseSurplus(this, {
      readGroup: ONE_OPTIONS,
      createGroup: ONE_OPTIONS,
      listPending: ONE_OPTIONS,
      pendingRange: ONE_OPTIONS,
      claim: '`ids` is an option',
      fastClaim: '`ids` is an option',
      autoClaim: ONE_OPTIONS,
      fastAutoClaim: ONE_OPTIONS,
      consumer: ONE_OPTIONS,
      ack: ANY_NUMBER,
    })
  }

  readonly #config: ObjectContext['config']
  readonly #closing: AbortSignal

  constructor(context: ObjectContext, name: string, settings: StreamSettings<K, V>, waiters: KeyWaiters) {
    super(context, name, settings, waiters)
    this.#config = context.config
    this.#closing = context.closing
  }

  async readGroup(
    group: string,
    consumer: string,
    options?: StreamReadGroupOptions,
  ): Promise<StreamMessage<K, V>[]> {
    const { after, count, noAck, patience } = groupReading(options)
    const args = {
      group: groupName(group),
      consumer: consumerName(consumer),
      options: [...countWords(count), ...(noAck ? ['NOACK'] : [])],
      after,
    }
    this.waits.demandMayWait(patience)
    if (count === 0) return []
    const { signal: ending } = this.requests
    const signal = eitherSignal(patience.signal, ending)
    const read = () =>
      deliverInTime((how: RunOptions) => this.ask(commands.readGroup, args, {}, how), signal).catch(
        (error: unknown) => {
          throw asEnded(error, {
            signal: ending,
            request: `XREADGROUP of ${this.key}`,
            mayHaveRun: () => false,
          })
        },
      )
    const isOwn = after !== '>' // what is pending does not become more by waiting
    const reading = isOwn ? read() : this.waits.until(read, patience, lineOf(this.key, group))
    return await this.decodeAll(await ofGroup(reading, this.name, group))
  }

  async createGroup(group: string, options?: StreamGroupOptions): Promise<boolean> {
    const args = { group: groupName(group), ...groupBeginning(options), seen: '' }
    const created = await this.ask(scripts.createGroup, args)
    if (created === undefined) throw new NoSuchObjectError(this.name, 'stream')
    return created
  }

  async removeGroup(group: string): Promise<boolean> {
    return await this.ask(commands.removeGroup, { group: groupName(group) }).catch((error: unknown) => {
      if (isMissingGroup(error)) return false
      throw error
    })
  }

  async createConsumer(group: string, consumer: string): Promise<boolean> {
    const args = { group: groupName(group), consumer: consumerName(consumer) }
    return await ofGroup(this.ask(commands.createConsumer, args), this.name, group)
  }

  async removeConsumer(group: string, consumer: string): Promise<number> {
    const args = { group: groupName(group), consumer: consumerName(consumer) }
    return await ofGroup(this.ask(commands.removeConsumer, args), this.name, group)
  }

  async updateGroupMessageId(group: string, id: string): Promise<void> {
    const args = { group: groupName(group), id: checkedId('id', id, '$') }
    await ofGroup(this.ask(commands.updateGroupMessageId, args), this.name, group)
  }

  async ack(group: string, ...ids: readonly string[]): Promise<number> {
    const name = groupName(group)
    return await this.inParts(checkedIds(ids), (part) => this.ask(commands.ack, { group: name, ids: part }))
  }

  async getPendingInfo(group: string): Promise<StreamPendingInfo> {
    const asking = this.ask(commands.getPendingInfo, { group: groupName(group) }, {}, FROM_MASTER)
    return await ofGroup(asking, this.name, group)
  }

  async listPending(group: string, options?: StreamPendingOptions): Promise<StreamPendingEntry[]> {
    const args = { group: groupName(group), range: pendingWords(options) }
    return await ofGroup(this.ask(commands.listPending, args, {}, FROM_MASTER), this.name, group)
  }

  async pendingRange(group: string, options?: StreamPendingOptions): Promise<StreamMessage<K, V>[]> {
    const range = [groupName(group), ...pendingWords(options)]
    const asking = this.ask(scripts.pendingRange, { range }, {}, FROM_MASTER)
    return await this.decodeAll(await ofGroup(asking, this.name, group))
  }

  async claim(group: string, consumer: string, options: StreamClaimOptions): Promise<StreamMessage<K, V>[]> {
    const args = { group: groupName(group), consumer: consumerName(consumer), ...claiming(options) }
    if (args.ids.length === 0) return []
    return await this.decodeAll(await ofGroup(this.ask(commands.claim, args), this.name, group))
  }

  async fastClaim(group: string, consumer: string, options: StreamClaimOptions): Promise<string[]> {
    const { ids, idleMs } = claiming(options)
    const args = { group: groupName(group), consumer: consumerName(consumer), idleMs }
    if (ids.length === 0) return []
    const asking = this.ask(commands.fastClaim, { ...args, idsAndJustId: [...ids, 'JUSTID'] })
    return await ofGroup(asking, this.name, group)
  }

  async autoClaim(
    group: string,
    consumer: string,
    options: StreamAutoClaimOptions,
  ): Promise<StreamAutoClaim<K, V>> {
    const args = { group: groupName(group), consumer: consumerName(consumer), ...autoClaiming(options) }
    const asking = this.ask(commands.autoClaim, args)
    const [nextId, messages, deletedIds] = await ofGroup(asking, this.name, group)
    return { nextId, messages: await this.decodeAll(messages), deletedIds }
  }

  async fastAutoClaim(
    group: string,
    consumer: string,
    options: StreamAutoClaimOptions,
  ): Promise<StreamFastAutoClaim> {
    const args = { group: groupName(group), consumer: consumerName(consumer), ...autoClaiming(options) }
    const asking = this.ask(commands.fastAutoClaim, args)
    const [nextId, ids, deletedIds] = await ofGroup(asking, this.name, group)
    return { nextId, ids, deletedIds }
  }

  async listGroups(): Promise<StreamGroup[]> {
    return await this.ask(commands.listGroups, {}, {}, FROM_MASTER).catch((error: unknown) => {
      if (isMissingKey(error)) return []
      throw error
    })
  }

  async listConsumers(group: string): Promise<StreamConsumerInfo[]> {
    const asking = this.ask(commands.listConsumers, { group: groupName(group) }, {}, FROM_MASTER)
    return await ofGroup(asking, this.name, group)
  }

  consumer(group: string, options?: StreamConsumerOptions): AsyncIterable<StreamDelivery<K, V>, undefined> {
    const settings = consumerSettings(groupName(group), options, {
      key: this.key,
      keyInSlot: (name) => this.keyInSlot(name),
    })
    demandTurns(this.requests, 'consumer()')
    return consumptionOf<K, V>({
      object: this.name,
      codec: this.entryCodec,
      settings,
      reasonOf: (reason) => reasonField(this.entryCodec, reason),
      waits: this.waits,
      line: lineOf(this.key, group),
      failFast: this.#config.failFast,
      ends: [settings.signal, this.requests.signal, this.#closing],
      client: this.#closing,
      signal: this.requests.signal,
      requestsOf: (consumer) => new GroupRequests(this.requests, { ...settings, consumer }),
    })
  }
}

/** Those who wait for new messages of one group. */
function lineOf(key: string, group: string): string {
  return JSON.stringify([key, 'group', group])
}
