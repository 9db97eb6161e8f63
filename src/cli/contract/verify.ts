/** Owns the check of a module against the profile, and of its sources against a deployed contract. */
import type { CausewayClient } from '../../client/index.js'
import { LedgerError } from '../../model/errors.js'
import { checkModule, ModuleFault } from '../../vm/index.js'
import { contractOf } from './forms.js'
import { compileProject, hashesOf, readBuilt } from './project.js'

/** Hashes of a module on the ledger. Throws the error with which the ledger would refuse it. */
export async function verifyBuilt(file: string) {
  const { CONTRACT_ABI_HASH } = await import('../../features/contracts/schema/abi.js')
  const built = await readBuilt(file)
  try {
    checkModule(built.code)
  } catch (error) {
    if (error instanceof ModuleFault) throw new LedgerError('validation_failed', `${file}: ${error.message}`)
    throw error
  }
  const hashes = await hashesOf(built)
  if (built.manifest['code_hash'] !== hashes.code_hash) {
    throw new LedgerError('validation_failed', `${file}: the manifest beside it belongs to another module`)
  }
  if (built.manifest['abi_hash'] !== CONTRACT_ABI_HASH.toString('hex')) {
    throw new LedgerError('validation_failed', `${file}: built for another contract ABI`)
  }
  return { ...hashes, valid: true }
}

/**
 * Compile a folder and compare it with a deployed contract, by its address or alias. The folder is not changed and no
 * program in it is run, because its compiler is controlled by the author of the sources. Throws `validation_failed` if
 * they differ.
 */
export async function verifyDeployed(folder: string, client: CausewayClient, contract: string, compiler: string) {
  const { address, instance, manifest } = await contractOf(client, contract)
  const hashes = await hashesOf(await compileProject(folder, compiler))
  if (hashes.artifact === instance.artifact) return { contract: address, ...hashes, compiler, valid: true }
  const [what, here, there] =
    hashes.code_hash === manifest.code_hash
      ? ['manifest', hashes.artifact, instance.artifact]
      : ['module', hashes.code_hash, manifest.code_hash]
  throw new LedgerError(
    'validation_failed',
    `${folder} builds a different ${what} than ${contract} runs: ${here}, not ${there}`,
    {
      hint: 'The same compiler, sources and contract.json build the same bytes; package.json of the folder names the compiler.',
    },
  )
}
