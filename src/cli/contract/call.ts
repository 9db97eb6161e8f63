/** Owns the call instruction on the command line; the alias is resolved before anything is signed. */
import { instructions } from '../../features/contracts/schema/instructions.js'
import type { Instruction } from '../../model/index.js'
import { withGateway } from '../gateway/gateway.js'
import type { Settings } from '../settings/settings.js'
import type { Signing } from '../transaction/submit.js'
import { attachmentsJson, contractOf, entrypointOf, GAS_DEFAULT, inputOf } from './forms.js'
import type { TrialFlags } from './trial.js'

/** Call instruction. */
export const callInstruction = (
  settings: Settings,
  flags: TrialFlags,
  { read, names }: Pick<Signing, 'read' | 'names'>,
): Promise<Instruction> =>
  withGateway(settings, async (client) => {
    const contract = await contractOf(client, await names.account(flags.contract))
    const entry = entrypointOf(contract, flags.entrypoint)
    return read(instructions.contractCall, {
      address: contract.address,
      entrypoint: entry.name,
      input: await inputOf(entry, flags.args, (await client.chain()).addressPrefix, (text) => names.account(text)),
      gas_limit: flags.gas ?? GAS_DEFAULT,
      attach: attachmentsJson(flags.attach),
    })
  })
