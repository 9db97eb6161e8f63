/** Owns the instructions of a deployment: the artifact, if the ledger does not have it yet, and the contract. */
import { instructions } from '../../features/contracts/schema/instructions.js'
import { type Instruction, LedgerError } from '../../model/index.js'
import { getJson, withGateway } from '../gateway/gateway.js'
import type { Settings } from '../settings/settings.js'
import type { Signing } from '../transaction/submit.js'
import { GAS_DEFAULT, inputOf } from './forms.js'
import { artifactOf, entrypointsOf, readBuilt } from './project.js'

export interface DeployFlags {
  readonly alias?: string | undefined
  readonly domain?: string | undefined
  readonly args: string
  readonly gas?: number | undefined
}

/** Instructions that deploy a built folder. */
export async function deployInstructions(
  settings: Settings,
  folder: string,
  flags: DeployFlags,
  inherit: boolean,
  { read, names }: Pick<Signing, 'read' | 'names'>,
): Promise<readonly Instruction[]> {
  const built = await readBuilt(folder)
  const artifact = (await artifactOf(built)).toString('hex')
  const { isKnown, prefix } = await withGateway(settings, async (client) => ({
    isKnown: await getJson(client, ({ contracts }) => contracts.code, { params: { hash: artifact } }).then(
      () => true,
      (error: unknown) => {
        if (error instanceof LedgerError && error.code === 'not_found') return false
        throw error
      },
    ),
    prefix: (await client.chain()).addressPrefix,
  }))
  const entrypoints = entrypointsOf(built)
  const begin = entrypoints.find(({ kind }) => kind === (inherit ? 'Upgrade' : 'Init'))
  const input = begin === undefined ? '' : await inputOf(begin, flags.args, prefix, (text) => names.account(text))
  const code = Buffer.from(built.code).toString('base64')
  const registered = isKnown ? [] : [read(instructions.registerContract, { code, manifest: built.manifest })]
  const deployed = read(instructions.deployContract, {
    artifact,
    domain: flags.domain ?? null,
    alias: flags.alias ?? null,
    inherit,
    input,
    gas_limit: flags.gas ?? GAS_DEFAULT,
  })
  return [...registered, deployed]
}
