/** Owns the execution of genesis: topology, parameters, instructions; exempt from permissions, refused as a whole on any error. */

import { keyListHash } from '../consensus/index.js'
import { verifyPop } from '../crypto/bls-pop.js'
import {
  type AccountId,
  accountKeyOf,
  accountOfKey,
  chainHashOf,
  type DataEvent,
  GENESIS_HEIGHT,
  type GenesisPayload,
  genesisSeed,
  keyBytes,
  LedgerError,
} from '../model/index.js'
import type { Overlay } from '../state/index.js'
import { incarnations } from './block.js'
import { EXECUTIONS } from './executions.js'
import { addPeer, committeeAt, scheduleHeight, scheduleOf } from './membership.js'
import { setParameterNow } from './parameters.js'
import { type Abi, definitionOf } from './registry.js'
import { rosterFor } from './rosters.js'
import { chainInfo, peers, SINGLETON_KEY } from './tables.js'
import { runInstructions } from './transaction.js'

/** Account of the genesis instructions, derived from the genesis key. It is not registered automatically. */
export const genesisAuthority = (payload: GenesisPayload): AccountId =>
  accountOfKey(accountKeyOf('ed25519', keyBytes(payload.genesisKey)))

/** Result of genesis besides its overlay. */
export interface GenesisRun {
  readonly chainHash: Buffer
  readonly seed: Buffer
  readonly rosterHash: Buffer
  readonly nextCommitteeHash: Buffer
  readonly events: readonly DataEvent[]
}

/** Run genesis on an overlay over the empty state; throws `genesis_invalid` with the location of the fault. */
export function executeGenesis(
  abi: Abi,
  payload: GenesisPayload,
  payloadBytes: Uint8Array,
  overlay: Overlay,
): GenesisRun {
  const seed = genesisSeed(payloadBytes)
  const chainHash = chainHashOf(payload.chain, seed)
  if (payload.abi !== abi.number) {
    throw new LedgerError(
      'genesis_invalid',
      `genesis starts with ABI ${payload.abi}; this release starts networks with ABI ${abi.number}`,
    )
  }
  overlay.set(chainInfo, SINGLETON_KEY, {
    chain: payload.chain,
    addressPrefix: payload.addressPrefix,
    consensusMode: payload.consensusMode,
    genesisSeed: seed,
    abi: payload.abi,
    abiHash: undefined,
    nextAbi: undefined,
  })
  for (const [index, one] of payload.topology.entries()) {
    if (overlay.get(peers, one.key) !== undefined) {
      throw new LedgerError('genesis_invalid', `topology[${index}]: duplicate key`)
    }
    if (!verifyPop(keyBytes(one.key), one.pop)) {
      throw new LedgerError(
        'genesis_invalid',
        `topology[${index}]: the proof of possession does not belong to its key`,
        {
          hint: 'Create it with `causeway key pop create`.',
        },
      )
    }
    addPeer(overlay, one, GENESIS_HEIGHT, GENESIS_HEIGHT)
  }
  if (rosterFor(overlay, GENESIS_HEIGHT).roster.length === 0)
    throw new LedgerError('genesis_invalid', 'the topology has no validator')

  for (const [parameter, value] of payload.parameters) {
    const def = abi.parameters.find((one) => one.name === parameter)
    if (def === undefined) throw new LedgerError('genesis_invalid', `parameters: unknown parameter ${parameter}`)
    const decoded = def.schema.decode(value)
    if (!decoded.ok) throw new LedgerError('genesis_invalid', `parameters.${parameter}: ${decoded.fault.message}`)
    const fault = def.check?.(decoded.value)
    if (fault !== undefined) throw new LedgerError('genesis_invalid', `parameters.${parameter}: ${fault}`)
    setParameterNow(overlay, parameter, value)
  }

  const { createdAtMs: timeMs, chain } = payload
  const env = { height: GENESIS_HEIGHT, timeMs, genesis: true, chain, gate: undefined }
  const nextIncarnation = incarnations(GENESIS_HEIGHT)
  const authority = genesisAuthority(payload)
  const events: DataEvent[] = []
  for (const [index, instruction] of payload.instructions.entries()) {
    const run = runInstructions(EXECUTIONS.genesis, abi, env, overlay, {
      authority,
      id: seed,
      payload: undefined,
      instructions: [{ def: definitionOf(abi, instruction), value: instruction.value }],
      nextIncarnation,
    })
    if (run.rejection !== undefined) {
      throw new LedgerError(
        'genesis_invalid',
        `instructions[${index}] (${instruction.kind}): ${run.rejection.message}`,
        {
          details: { code: run.rejection.code },
        },
      )
    }
    events.push(...run.events)
  }

  const { consensusMode } = payload
  const { election } = abi.policies
  if (consensusMode === 'npos' && election === undefined) {
    throw new LedgerError('genesis_invalid', `consensus_mode: ABI ${abi.number} elects no validators`)
  }
  const unelected = election?.first(overlay, { consensusMode, seed })
  if (unelected !== undefined) throw new LedgerError('genesis_invalid', `staking: ${unelected}`)

  // For the first two heights, the state after genesis serves as the state after h - 2.
  for (const height of [GENESIS_HEIGHT, 2, 3]) scheduleHeight(overlay, height, election?.rosterAt)
  const second = scheduleOf(overlay, 2)
  return {
    chainHash,
    seed,
    rosterHash: keyListHash(second.roster),
    nextCommitteeHash: committeeAt(second, chainHash, 2).committee.hash,
    events,
  }
}
