/** Owns artifacts: modules with their manifests, validated at registration and immutable. */

import { sameBytes } from '../../../base/bytes.js'
import { verifyEd25519, verifySecp256k1 } from '../../../crypto/index.js'
import { type ExecContext, type Rejection, reject } from '../../../executor/contract.js'
import type { Executions } from '../../../executor/feature.js'
import { parameterOf } from '../../../executor/parameters.js'
import type { Permission } from '../../../executor/permission.js'
import { newGlobal, onDomain } from '../../../ledger/permission-kinds.js'
import { requirePermission } from '../../../ledger/permissions.js'
import { splitAccountKey } from '../../../model/index.js'
import { dropPages, writePages } from '../../../state/index.js'
import { checkModule, type LoadedModule, ModuleFault } from '../../../vm/index.js'
import { CONTRACT_ABI_HASH, CONTRACT_ABI_VERSION } from '../schema/abi.js'
import { events } from '../schema/events.js'
import type * as schema from '../schema/instructions.js'
import type { instructions } from '../schema/instructions.js'
import { CONTRACT_DEPLOY_POLICY } from '../schema/parameters.js'
import {
  artifactHashOf,
  codeHashOf,
  MANIFEST_VERSION,
  type Manifest,
  manifest as manifestRecord,
} from '../schema/records.js'
import { artifacts, codePages, manifests } from './tables.js'

export const CONTRACT_PERMISSIONS = {
  CanDeployContract: newGlobal('CanDeployContract'),
  CanManageContractAlias: onDomain('CanManageContractAlias'),
} as const satisfies Record<string, Permission>

/** Reason why the authority may not register and deploy. */
export const deployFault = (ctx: ExecContext, what: string): Rejection | undefined =>
  parameterOf(ctx, CONTRACT_DEPLOY_POLICY) === 'open'
    ? undefined
    : requirePermission(ctx, what, undefined, [CONTRACT_PERMISSIONS.CanDeployContract, undefined])

/** Module, or the reason why it is invalid. */
function checked(code: Uint8Array): LoadedModule | Rejection {
  try {
    return checkModule(code)
  } catch (error) {
    if (error instanceof ModuleFault) return reject('contract_invalid', error.message)
    throw error
  }
}

/** Reason why a manifest does not match its module. */
function manifestFault(manifest: Manifest, codeHash: Uint8Array, { def }: LoadedModule): Rejection | undefined {
  const invalid = (message: string): Rejection => reject('contract_invalid', message)
  if (manifest.version !== MANIFEST_VERSION) return invalid(`the version of a manifest must be ${MANIFEST_VERSION}`)
  if (manifest.abiVersion !== CONTRACT_ABI_VERSION || !sameBytes(manifest.abiHash, CONTRACT_ABI_HASH)) {
    return reject('contract_abi', `the contract ABI of this network is ${CONTRACT_ABI_HASH.toString('hex')}`)
  }
  if (!sameBytes(manifest.codeHash, codeHash)) return invalid('the manifest belongs to another module')
  const names = new Set<string>()
  for (const { name, kind, payable } of manifest.entrypoints) {
    if (names.has(name)) return invalid(`two entrypoints are named ${name}`)
    names.add(name)
    if (!def.exports.has(name)) return invalid(`the module does not export the function ${name}`)
    if (payable && kind === 'view') return invalid(`the view ${name} cannot receive assets`)
  }
  for (const kind of ['init', 'upgrade'] as const) {
    if (manifest.entrypoints.filter((one) => one.kind === kind).length > 1) return invalid(`more than one ${kind}`)
  }
  const { provenance } = manifest
  if (provenance === undefined) return undefined
  const { curve, bytes } = splitAccountKey(provenance.signer)
  const verify = curve === 'ed25519' ? verifyEd25519 : verifySecp256k1
  const isSigned = provenance.signature.length === 64 && verify(bytes, codeHash, provenance.signature)
  return isSigned ? undefined : invalid('the signature of the provenance does not cover the hash of the code')
}

/**
 * Gas per byte of code for its validation, measured in a newly started process, so that a block has at most three of
 * the largest modules.
 */
const GAS_PER_CODE_BYTE = 20

const CODE_ITEM = '5 bytes of code'
const codeItems = ({ code }: schema.RegisterContract): number => Math.ceil(code.length / 5)

export const execute = {
  registerContract: {
    cost: {
      base: 2_000,
      // 20 gas per byte: validation of the byte, and its rows.
      per: [
        { teu: 2, item: CODE_ITEM, count: codeItems },
        // A proposal may contain the largest module, and a block three of them, as outside of lists.
        { teu: 2, item: CODE_ITEM, count: codeItems, storedOnly: true },
      ],
    },
    work: {
      ms: 0,
      units: {
        item: `gas of the check, ${GAS_PER_CODE_BYTE} a byte of code`,
        count: ({ code }) => GAS_PER_CODE_BYTE * code.length,
      },
    },
    execute(ctx, { code, manifest }) {
      const denied = deployFault(ctx, 'registering a contract')
      if (denied) return denied
      const hash = artifactHashOf(code, manifest)
      if (ctx.has(artifacts, hash)) return reject('exists', `artifact ${hash.toString('hex')} is already registered`)
      const module = checked(code)
      if ('code' in module) return module
      const codeHash = codeHashOf(code)
      const unfit = manifestFault(manifest, codeHash, module)
      if (unfit) return unfit
      const manifestBytes = manifestRecord.encode(manifest).length
      const row = {
        codeHash,
        codeBytes: code.length,
        manifestBytes,
        registrant: ctx.authority,
        refs: 0,
        height: ctx.env.height,
      }
      ctx.set(artifacts, hash, row)
      ctx.set(manifests, hash, manifest)
      writePages(ctx, codePages, hash, code)
      ctx.emit(events.contractRegistered, { artifact: hash, codeHash, registrant: ctx.authority })
      return undefined
    },
  },

  removeContractArtifact: {
    cost: { base: 150 },
    execute(ctx, { artifact: hash }) {
      const row = ctx.get(artifacts, hash)
      if (row === undefined) return reject('contract_not_found', 'the artifact does not exist')
      const denied = requirePermission(ctx, 'removing an artifact', row.registrant)
      if (denied) return denied
      if (row.refs > 0) return reject('contract_in_use', `the artifact is in use by ${row.refs} contracts`)
      ctx.delete(artifacts, hash)
      ctx.delete(manifests, hash)
      dropPages(ctx, codePages, hash, row.codeBytes)
      ctx.emit(events.contractRemoved, { artifact: hash })
      return undefined
    },
  },
} satisfies Partial<Executions<typeof instructions>>
