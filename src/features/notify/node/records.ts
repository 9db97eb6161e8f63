/** Owns devices on disk, and the push service key of this node; addresses of devices are encrypted. */
import { bytes, type CodecContext, type Infer, list, string, struct, varint } from '../../../codec/index.js'
import { accountId } from '../../../model/index.js'
import type { IntegrationStore } from '../../../storage/integration-store.js'
import {
  deviceId,
  ENDPOINT_MAX_BYTES,
  notifyPlatform,
  notifyTopic,
  type PushSubscription,
  pushSubscription,
  TOKEN_MAX_BYTES,
  TOPICS_MAX,
} from '../schema.js'
import { newVapidSecret } from './web-push.js'

/**
 * Maximum size of a sealed address in bytes: an endpoint with its keys, or a token, plus nonce, authentication tag and
 * lengths.
 */
const SEALED_MAX_BYTES = Math.max(ENDPOINT_MAX_BYTES, TOKEN_MAX_BYTES) + 256

/** Stored device. */
export interface DeviceRecord extends Infer<typeof deviceRecord> {}
const deviceRecord = struct('NotifyDeviceRecord', {
  id: deviceId,
  account: accountId,
  platform: notifyPlatform,
  topics: list(notifyTopic, TOPICS_MAX),
  createdAtMs: varint,
  expiresAtMs: varint,
  address: bytes(SEALED_MAX_BYTES),
})

/** Address of a device. */
export type Address =
  | { readonly kind: 'webpush'; readonly subscription: PushSubscription }
  | { readonly kind: 'token'; readonly token: string }

/** Device with a readable address. */
export interface StoredDevice {
  readonly record: DeviceRecord
  readonly address: Address
}

const PREFIX = 'notify:d:'
const VAPID_KEY = 'notify:vapid'
const keyOf = (id: string): string => `${PREFIX}${id}`
const tokenText = string(TOKEN_MAX_BYTES)

export class DeviceRecords {
  constructor(
    private readonly store: IntegrationStore,
    private readonly codec: CodecContext,
  ) {}

  /**
   * Readable devices. Other devices, such as those sealed with a different network key, are reported and removed; their
   * owners must register them again.
   */
  async all(onDamage: (error: unknown) => void): Promise<StoredDevice[]> {
    const found: StoredDevice[] = []
    for (const [key, value] of await this.store.list(PREFIX)) {
      const decoded = deviceRecord.decode(value, this.codec)
      const address = decoded.ok ? this.open(decoded.value) : undefined
      if (decoded.ok && address !== undefined) found.push({ record: decoded.value, address })
      else {
        onDamage(new Error(`cannot read the record ${key}, or it was encrypted with another network key`))
        await this.store.write([[key, undefined]], false)
      }
    }
    return found
  }

  /** Record with its address sealed. */
  sealed(record: Omit<DeviceRecord, 'address'>, address: Address): DeviceRecord {
    const plain =
      address.kind === 'webpush' ? pushSubscription.encode(address.subscription) : tokenText.encode(address.token)
    return { ...record, address: this.store.seal(keyOf(record.id), plain) }
  }

  put(record: DeviceRecord): Promise<void> {
    return this.store.write([[keyOf(record.id), deviceRecord.encode(record, this.codec)]], true)
  }

  remove(...ids: readonly string[]): Promise<void> {
    return this.store.write(
      ids.map((id) => [keyOf(id), undefined] as const),
      true,
    )
  }

  /** Secret that identifies this node to push services, created on first use. It changes with the network key. */
  async vapidSecret(): Promise<Buffer> {
    const stored = await this.store.get(VAPID_KEY)
    const known = stored === undefined ? undefined : this.store.unseal(VAPID_KEY, stored)
    if (known !== undefined) return known
    const secret = newVapidSecret()
    await this.store.write([[VAPID_KEY, this.store.seal(VAPID_KEY, secret)]], true)
    return secret
  }

  private open({ id, platform, address }: DeviceRecord): Address | undefined {
    const plain = this.store.unseal(keyOf(id), address)
    if (plain === undefined) return undefined
    if (platform === 'webpush') {
      const subscription = pushSubscription.decode(plain)
      return subscription.ok ? { kind: 'webpush', subscription: subscription.value } : undefined
    }
    const token = tokenText.decode(plain)
    return token.ok ? { kind: 'token', token: token.value } : undefined
  }
}
