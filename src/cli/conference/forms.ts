/** Owns the command-line forms of calls, and the common parts of their commands. */
import { Args, Flags } from '@oclif/core'
import type { Json } from '../../codec/index.js'
import { isJsonList, isJsonObject } from '../../codec/schema.js'
import { instructions } from '../../features/conference/schema/instructions.js'
import type { Instruction } from '../../model/index.js'
import { readJsonInput } from '../input/json.js'
import { usageError } from '../terminal/failure.js'
import type { ReadInstruction } from '../transaction/submit.js'

/** Call argument of a command. */
export const callArg = {
  call: Args.string({ description: 'call domain:name', required: true, ignoreStdin: true }),
}

/** Flags for joining or leaving a private call. */
export const privateFlags = {
  private: Flags.boolean({ description: 'act by a proof, as a member of a private call' }),
  'payer-key-file': Flags.string({
    description: 'key of the account that submits the proof and pays for it',
    dependsOn: ['private'],
    exclusive: ['reveal-submitter'],
  }),
  'reveal-submitter': Flags.boolean({
    description: 'submit the proof from your own account, which reveals its owner',
    dependsOn: ['private'],
  }),
}

/** Domain and name of a call. */
export function callParts(text: string): { domain: string; name: string } {
  const at = text.lastIndexOf(':')
  if (at < 1) throw usageError(`"${text}" is not a call`, 'Write domain:name.')
  return { domain: text.slice(0, at), name: text.slice(at + 1) }
}

/** Flags of `create` and `quickstart`. */
export const createFlags = {
  title: Flags.string({ description: 'title, at most 128 bytes' }),
  description: Flags.string({ description: 'description, at most 2 KiB' }),
  'max-participants': Flags.integer({ description: 'maximum number of participants, without the host', min: 1 }),
  'gas-rate-per-minute': Flags.integer({ description: 'maximum gas billed for a minute', min: 0, default: 0 }),
  'scheduled-start-ms': Flags.integer({ description: 'planned start, ms since the Unix epoch', min: 0 }),
  private: Flags.boolean({ description: 'members are commitments (zk-roster-v1)' }),
  open: Flags.boolean({ description: 'any account may join, not only admitted keys', dependsOn: ['private'] }),
  admit: Flags.string({
    description: 'key of a member to admit; may be repeated',
    multiple: true,
    dependsOn: ['private'],
  }),
  'room-policy': Flags.option({
    options: ['public', 'authenticated'] as const,
    description: 'whether relays require tickets from viewers',
    default: 'authenticated' as const,
  })(),
  'relay-manifest': Flags.string({ description: 'file with the relay manifest as JSON', helpValue: 'FILE' }),
  meta: Flags.string({ description: 'metadata key=value; may be repeated', multiple: true, helpValue: 'KEY=VALUE' }),
}

interface CreateFlags {
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly 'max-participants'?: number | undefined
  readonly 'gas-rate-per-minute': number
  readonly 'scheduled-start-ms'?: number | undefined
  readonly private: boolean
  readonly open: boolean
  readonly admit?: string[] | undefined
  readonly 'room-policy': 'public' | 'authenticated'
  readonly 'relay-manifest'?: string | undefined
  readonly meta?: string[] | undefined
}

/** Instruction that creates a call. */
export async function createInstruction(read: ReadInstruction, call: string, flags: CreateFlags): Promise<Instruction> {
  const { metadataOf } = await import('../ledger/forms.js')
  const { readJsonInput } = await import('../input/json.js')
  const manifest = flags['relay-manifest']
  return read(instructions.createConference, {
    ...callParts(call),
    title: flags.title ?? null,
    description: flags.description ?? null,
    max_participants: flags['max-participants'] ?? null,
    gas_rate_per_minute: String(flags['gas-rate-per-minute']),
    metadata: metadataOf(flags.meta),
    scheduled_start_ms: flags['scheduled-start-ms'] ?? null,
    billing_account: null,
    privacy_mode: flags.private ? 'ZkRosterV1' : 'Transparent',
    room_policy: flags['room-policy'] === 'public' ? 'Public' : 'Authenticated',
    admission: flags.private ? (flags.open ? 'Open' : 'Listed') : null,
    admission_keys: flags.admit ?? [],
    relay_manifest: manifest === undefined ? null : await readJsonInput(manifest),
  })
}

/** Fields of a join or leave of a private call, absent for a transparent call. */
export const TRANSPARENT = { commitment: null, nullifier: null, roster_root: null, proof: null } as const

/** Manifest of a file with resolved aliases; the ledger validates its shape. */
export async function manifestJson(path: string, account: (text: string) => Promise<string>): Promise<Json> {
  const manifest = await readJsonInput(path)
  if (!isJsonObject(manifest) || !isJsonList(manifest.hops)) return manifest
  const hops: Json[] = []
  for (const hop of manifest.hops) {
    const relay = isJsonObject(hop) ? hop.relay_id : undefined
    hops.push(isJsonObject(hop) && typeof relay === 'string' ? { ...hop, relay_id: await account(relay) } : hop)
  }
  return { ...manifest, hops }
}
