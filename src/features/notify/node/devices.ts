/** Owns the devices of a node: their owners, topics and expiry. */

import { createHash } from 'node:crypto'
import type { Caller } from '../../../api/handler.js'
import type { NodeServices } from '../../../api/services.js'
import type { EventItem } from '../../../events/event-item.js'
import { type AccountId, formatAddress, LedgerError } from '../../../model/index.js'
import type { Outbound } from '../../../network/outbound/outbound.js'
import { queries as accountQueries } from '../../accounts/schema.js'
import { DEVICES_MAX, DEVICES_PER_ACCOUNT_MAX, type DeviceView, type RegisterDevice } from '../schema.js'
import '../schema.js'
import { DEVICE_MS, SWEEP_MS } from './limits.js'
import { type MembersOf, type Notice, noticesOf, subscribes } from './messages.js'
import { NoticeQueue } from './queue.js'
import type { Address, DeviceRecords, StoredDevice } from './records.js'
import type { Sender, Sent } from './sender.js'
import { keysFault } from './web-push.js'

const ID_DIGITS = 32

/** Id of a device, derived from its account and address: a repeated registration is an update. */
function idOf(account: AccountId, platform: string, address: Address): string {
  const reached = address.kind === 'webpush' ? address.subscription.endpoint : address.token
  const text = JSON.stringify([Buffer.from(account, 'latin1').toString('hex'), platform, reached])
  return createHash('sha256').update(text).digest('hex').slice(0, ID_DIGITS)
}

export interface DevicesParts {
  readonly services: Pick<NodeServices, 'info'>
  readonly records: DeviceRecords
  readonly outbound: Pick<Outbound, 'urlFault'>
  readonly sender: Pick<Sender, 'send'>
  /** True if a service for fcm and apns is configured. */
  readonly hasUpstream: boolean
  readonly membersOf: MembersOf
  /** Wall clock, ms since the Unix epoch. */
  readonly wallMs: () => number
  readonly monotonicMs: () => number
  readonly onSent: (platform: string, result: Sent['result']) => void
  readonly onError: (error: unknown) => void
}

interface Device extends StoredDevice {
  sent: number
}

export class Devices {
  readonly queue: NoticeQueue
  private readonly devices = new Map<string, Device>()
  private readonly byAccount = new Map<AccountId, Set<string>>()
  /** The same accounts by their text in events. */
  private readonly texts = new Map<string, AccountId>()
  private sweptMs = Number.NEGATIVE_INFINITY

  constructor(private readonly parts: DevicesParts) {
    const { monotonicMs, onError } = parts
    this.queue = new NoticeQueue({ send: (id, notice, more) => this.send(id, notice, more), monotonicMs, onError })
  }

  get size(): number {
    return this.devices.size
  }

  /** Continue with the devices of an earlier run; notifications of earlier events are no longer sent. */
  async start(): Promise<void> {
    for (const stored of await this.parts.records.all(this.parts.onError)) this.keep({ ...stored, sent: 0 })
  }

  /**
   * Register a device of a caller, or change its topics. `ledger` is queried for the account on behalf of the request.
   */
  async register(
    { account }: Caller,
    asked: RegisterDevice,
    ledger: Pick<NodeServices, 'query'>,
  ): Promise<DeviceView | LedgerError> {
    if (account === undefined) return new LedgerError('unauthorised', 'a device must be registered for an account')
    const address = await this.addressOf(asked)
    if (address instanceof LedgerError) return address
    // Keys cost nothing, so unregistered ones must not use up the slots of accounts.
    const known = await ledger.query(accountQueries.account, { id: account, alias: undefined })
    if (known === undefined) return new LedgerError('forbidden', 'the account is not registered on the ledger')
    await this.sweep()
    const { platform, topics } = asked
    const id = idOf(account, platform, address)
    const before = this.devices.get(id)
    const full = before === undefined ? this.fullError(account) : undefined
    if (full !== undefined) return full
    const nowMs = this.parts.wallMs()
    const createdAtMs = before?.record.createdAtMs ?? nowMs
    const expiresAtMs = nowMs + DEVICE_MS
    const record = this.parts.records.sealed({ id, account, platform, topics, createdAtMs, expiresAtMs }, address)
    const device: Device = { record, address, sent: before?.sent ?? 0 }
    // In the list before it is stored, so that concurrent registrations respect the limits.
    this.keep(device)
    try {
      await this.parts.records.put(record)
    } catch (error) {
      this.drop(id)
      if (before !== undefined) this.keep(before)
      throw error
    }
    return this.view(device)
  }

  /** Devices visible to a caller, oldest first. */
  list(caller: Caller): DeviceView[] {
    const all = [...this.devices.values()].filter((device) => isSeenBy(caller, device))
    return all.sort((one, other) => one.record.createdAtMs - other.record.createdAtMs).map((one) => this.view(one))
  }

  async remove(caller: Caller, id: string): Promise<DeviceView | LedgerError> {
    const device = this.find(caller, id)
    if (device instanceof LedgerError) return device
    this.drop(id)
    try {
      await this.parts.records.remove(id)
    } catch (error) {
      this.keep(device)
      throw error
    }
    return this.view(device)
  }

  /** Send a test to a device, within its rate. */
  async test(caller: Caller, id: string): Promise<Sent | LedgerError> {
    const device = this.find(caller, id)
    if (device instanceof LedgerError) return device
    if (!this.queue.take(id))
      return new LedgerError('rate_limited', 'the device exceeded its limit: one notification in 2 s, 200 a day')
    const { account } = device.record
    return (await this.send(id, { type: 'test', id: '0.0', account }, 0)) ?? notThere(id)
  }

  /** Notify the devices of the accounts that an event concerns. */
  async notify(item: EventItem): Promise<void> {
    if (this.devices.size === 0) return
    const named = (texts: ReadonlySet<string>): readonly AccountId[] =>
      [...texts].flatMap((text) => this.texts.get(text) ?? [])
    for (const notice of await noticesOf(item, named, this.parts.membersOf)) {
      for (const id of this.byAccount.get(notice.account) ?? []) {
        const device = this.devices.get(id)
        if (device !== undefined && subscribes(device.record.topics, notice)) this.queue.add(id, notice)
      }
    }
  }

  /** True if a device is subscribed to proposals. */
  get wantsApprovals(): boolean {
    return [...this.devices.values()].some(({ record }) => record.topics.includes('approvals'))
  }

  /** Remove expired devices. */
  async sweep(): Promise<void> {
    const monotonicMs = this.parts.monotonicMs()
    if (monotonicMs - this.sweptMs < SWEEP_MS) return
    this.sweptMs = monotonicMs
    const nowMs = this.parts.wallMs()
    const over = [...this.devices.values()].flatMap(({ record }) => (record.expiresAtMs <= nowMs ? [record.id] : []))
    for (const id of over) this.drop(id)
    if (over.length > 0) await this.parts.records.remove(...over)
  }

  private async send(id: string, notice: Notice, more: number): Promise<Sent | undefined> {
    const device = this.devices.get(id)
    if (device === undefined || device.record.expiresAtMs <= this.parts.wallMs()) return undefined
    const sent = await this.parts.sender.send(device, notice, more)
    this.parts.onSent(device.record.platform, sent.result)
    if (sent.result === 'sent') device.sent += 1
    // Registered again meanwhile, it is another device.
    if (sent.result === 'gone' && this.devices.get(id) === device) {
      this.drop(id)
      await this.parts.records.remove(id)
    }
    return sent
  }

  private async addressOf({ platform, subscription, token }: RegisterDevice): Promise<Address | LedgerError> {
    const refuse = (why: string): LedgerError => new LedgerError('notify_device_refused', why)
    if (platform !== 'webpush') {
      if (token === undefined || token === '' || subscription !== undefined)
        return refuse(`${platform} requires a token`)
      return this.parts.hasUpstream ? { kind: 'token', token } : refuse(`this node does not send to ${platform}`)
    }
    if (subscription === undefined || token !== undefined) return refuse('webpush requires a subscription')
    const fault = this.parts.outbound.urlFault(subscription.endpoint)
    if (fault !== undefined) return refuse(`endpoint: ${fault}`)
    const keys = keysFault(subscription.keys)
    return keys === undefined ? { kind: 'webpush', subscription } : refuse(keys)
  }

  private find(caller: Caller, id: string): Device | LedgerError {
    const device = this.devices.get(id)
    return device !== undefined && isSeenBy(caller, device) ? device : notThere(id)
  }

  private fullError(account: AccountId): LedgerError | undefined {
    const own = this.byAccount.get(account)?.size ?? 0
    if (own >= DEVICES_PER_ACCOUNT_MAX)
      return new LedgerError('notify_limit', `an account can have at most ${own} devices`)
    if (this.devices.size < DEVICES_MAX) return undefined
    return new LedgerError('notify_limit', `this node stores at most ${DEVICES_MAX} devices`)
  }

  private keep(device: Device): void {
    const { id, account } = device.record
    this.devices.set(id, device)
    const own = this.byAccount.get(account)
    if (own !== undefined) own.add(id)
    else {
      this.byAccount.set(account, new Set([id]))
      this.texts.set(this.textOf(account), account)
    }
  }

  private drop(id: string): void {
    const device = this.devices.get(id)
    if (device === undefined) return
    this.devices.delete(id)
    this.queue.remove(id)
    const { account } = device.record
    const own = this.byAccount.get(account)
    own?.delete(id)
    if (own?.size !== 0) return
    this.byAccount.delete(account)
    this.texts.delete(this.textOf(account))
  }

  private textOf(account: AccountId): string {
    return formatAddress(account, this.parts.services.info.addressPrefix)
  }

  private view({ record, address, sent }: Device): DeviceView {
    const { id, account, platform, topics, createdAtMs, expiresAtMs } = record
    const host = address.kind === 'webpush' ? new URL(address.subscription.endpoint).host : undefined
    return { id, account, platform, host, topics, createdAtMs, expiresAtMs, sent }
  }
}

/** Error for a missing device, and the same error for a device of a different account. */
const notThere = (id: string): LedgerError => new LedgerError('not_found', `device ${id} does not exist`)

const isSeenBy = ({ operator, account }: Caller, { record }: Device): boolean =>
  operator || (account !== undefined && record.account === account)
