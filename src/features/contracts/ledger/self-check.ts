/**
 * Owns the self-check of contracts: a token that is registered, deployed and called on an empty ledger, and the vectors
 * of the machine.
 */

import { hash } from '../../../crypto/index.js'
import type { SelfCheck, TrialRun } from '../../../executor/feature.js'
import {
  type AccountId,
  accountKeyOf,
  accountOfKey,
  formatAddress,
  isEvent,
  NO_METADATA,
} from '../../../model/index.js'
import { EMPTY_ROWS, Overlay, rowKeyBytes, tableIdOf } from '../../../state/index.js'
import { vectorFault } from '../../../vm/index.js'
import { CONTRACT_ABI_HASH, CONTRACT_ABI_VERSION } from '../schema/abi.js'
import { events as contractEvents } from '../schema/events.js'
import { artifactHashOf, codeHashOf, type Entrypoint, MANIFEST_VERSION, type Manifest } from '../schema/records.js'
import { inputBytes } from '../schema/value-types.js'
import { NO_BYTES } from './frame.js'
import { TOKEN_CODE, TRIAL_RESULT } from './self-check-data.js'
import { CONTRACT_TABLE_LIST } from './tables.js'

const PREFIX = 'cw'
const GAS = 200_000
const [OWNER, OTHER] = ['owner', 'other'].map((name) =>
  accountOfKey(accountKeyOf('ed25519', hash('contract:self-check', Buffer.from(name)))),
) as [AccountId, AccountId]

const entry = (name: string, kind: Entrypoint['kind'], params: Readonly<Record<string, string>>): Entrypoint => ({
  name,
  kind,
  params: Object.entries(params).map(([of, type]) => ({ name: of, type })),
  result: undefined,
  permission: undefined,
  payable: false,
})
const INIT = entry('init', 'init', { digits: 'u32', initial: 'numeric' })
const TRANSFER = entry('transfer', 'public', { to: 'account', amount: 'numeric' })
const PAUSE = entry('pause', 'public', { on: 'bool' })

const inputOf = ({ params }: Entrypoint, values: Readonly<Record<string, unknown>>): Buffer =>
  inputBytes(params, values, PREFIX)
const amountTo = (to: AccountId, amount: string) => inputOf(TRANSFER, { to: formatAddress(to, PREFIX), amount })

/** Register, deploy and call the token; returns one hash of all results and of the contract tables. */
export function trialResult(run: TrialRun, code: Uint8Array): string {
  const manifest: Manifest = {
    version: MANIFEST_VERSION,
    name: 'token',
    upgradable: false,
    events: [],
    abiVersion: CONTRACT_ABI_VERSION,
    abiHash: CONTRACT_ABI_HASH,
    codeHash: codeHashOf(code),
    entrypoints: [INIT, TRANSFER, PAUSE],
    sourceHash: undefined,
    provenance: undefined,
  }
  const state = new Overlay(EMPTY_ROWS)
  const results: Uint8Array[] = []
  let address: AccountId = OWNER
  let height = 1
  const perform = (authority: AccountId, kind: string, value: object): void => {
    const env = { height, timeMs: height, genesis: height === 1, chain: 'self-check', gate: undefined }
    const id = hash('contract:self-check', Buffer.from([results.length]))
    const { outcome, events } = run(state, env, { authority, id }, { kind, value })
    const called = outcome.kind === 'called' ? outcome.value : undefined
    const gas = called === undefined ? '' : `${called.trap} ${called.abortCode} ${called.gasUsed}`
    results.push(Buffer.from(`${kind} ${outcome.kind} ${gas}`), ...(called === undefined ? [] : [called.events]))
    const deployed = events.find((event) => isEvent(event, contractEvents.contractDeployed))
    if (deployed !== undefined) address = deployed.value.address
  }
  const call = (authority: AccountId, { name }: Entrypoint, input: Buffer): void =>
    perform(authority, 'contractCall', { address, entrypoint: name, input, gasLimit: GAS, attach: [] })

  perform(OWNER, 'registerDomain', { id: 'trial', dataspace: undefined, metadata: NO_METADATA })
  for (const id of [OWNER, OTHER]) {
    perform(OWNER, 'registerAccount', { id, label: undefined, domain: 'trial', metadata: NO_METADATA })
  }
  const subject = { kind: 'permission', value: { name: 'CanDeployContract', object: undefined } }
  perform(OWNER, 'grant', { subject, to: { kind: 'account', value: OWNER } })
  height = 2
  perform(OWNER, 'registerContract', { code, manifest })
  const artifact = artifactHashOf(code, manifest)
  const input = inputOf(INIT, { digits: 2, initial: '100' })
  perform(OWNER, 'deployContract', {
    artifact,
    domain: 'trial',
    alias: undefined,
    inherit: false,
    input,
    gasLimit: GAS,
  })
  for (const amount of ['2.5', '0.25', '97.26', '97.25']) call(OWNER, TRANSFER, amountTo(OTHER, amount))
  call(OTHER, TRANSFER, amountTo(OWNER, '1'))
  call(OTHER, PAUSE, inputOf(PAUSE, { on: true }))
  call(OWNER, PAUSE, inputOf(PAUSE, { on: true }))
  call(OTHER, TRANSFER, amountTo(OWNER, '1'))

  const own = new Set(CONTRACT_TABLE_LIST.map(({ id }) => id))
  const rows = state
    .changes()
    .filter(({ row }) => own.has(tableIdOf(row)))
    .flatMap(({ row, table, value }) => [rowKeyBytes(row), value === undefined ? NO_BYTES : table.value.encode(value)])
  return hash('contract:self-check', ...results, ...rows).toString('hex')
}

export const selfCheck: SelfCheck = (run) => {
  const fault = vectorFault()
  if (fault !== undefined) return fault
  const found = trialResult(run, Buffer.from(TOKEN_CODE, 'base64'))
  return found === TRIAL_RESULT ? undefined : `the trial token contract returned ${found}, expected ${TRIAL_RESULT}`
}
