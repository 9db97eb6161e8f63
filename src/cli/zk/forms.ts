/** Owns the command-line forms of verifying keys: circuits of this release by name, others by file. */
import { Flags } from '@oclif/core'
import { VERIFYING_KEY_MAX_BYTES } from '../../model/verifying-key.js'
import { usageError } from '../terminal/failure.js'

export const keyFlags = {
  backend: Flags.string({ description: 'proof system of the key', default: 'sigma-ristretto255' }),
  circuit: Flags.string({ description: 'circuit, such as conference-roster-v1', required: true }),
  blob: Flags.string({ description: 'file with the key (default: that of this release)', helpValue: 'FILE' }),
  status: Flags.option({
    options: ['proposed', 'active', 'withdrawn'] as const,
    description: 'status of the key',
    default: 'active' as const,
  })(),
  'activation-height': Flags.integer({ description: 'first height at which it is valid', min: 1 }),
  'withdraw-height': Flags.integer({ description: 'first height at which it is no longer valid', min: 1 }),
}

const STATUS_WORDS = { proposed: 'Proposed', active: 'Active', withdrawn: 'Withdrawn' } as const

interface KeyFlags {
  readonly backend: string
  readonly circuit: string
  readonly blob?: string | undefined
  readonly status: keyof typeof STATUS_WORDS
  readonly 'activation-height'?: number | undefined
  readonly 'withdraw-height'?: number | undefined
}

async function blobOf({ blob, circuit }: KeyFlags): Promise<Uint8Array> {
  if (blob !== undefined) {
    const { readBounded } = await import('../../files/bounded-file.js')
    return readBounded(blob, VERIFYING_KEY_MAX_BYTES)
  }
  const { conferenceKeyBlob, ROSTER_CIRCUIT, USAGE_CIRCUIT } = await import('../../crypto/circuits/conference/index.js')
  if (circuit === ROSTER_CIRCUIT || circuit === USAGE_CIRCUIT) return conferenceKeyBlob(circuit)
  throw usageError(`unknown circuit ${circuit}`, `Circuits of this release: ${ROSTER_CIRCUIT} and ${USAGE_CIRCUIT}.`)
}

/** Fields of a key in the form of an instruction. */
export async function keyJson(name: string, flags: KeyFlags) {
  return {
    backend: flags.backend,
    name,
    circuit_id: flags.circuit,
    blob: Buffer.from(await blobOf(flags)).toString('base64'),
    status: STATUS_WORDS[flags.status],
    activation_height: flags['activation-height'] ?? null,
    withdraw_height: flags['withdraw-height'] ?? null,
  }
}
