import { Flags } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { callArg } from '../../src/cli/conference/forms.js'
import { proofFile } from '../../src/cli/conference/proofs.js'
import { gatewayPair } from '../../src/cli/gateway/gateway.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { instructions as conferences } from '../../src/features/conference/schema/instructions.js'

export default class ConferenceRecordUsage extends LedgerCommand {
  static override description =
    `Record the usage of a segment of a call, as its host, billed with at most its rate a minute. No money moves.
In a private call the usage goes with a commitment and its proof, but is still public.`
  static override examples = [
    '<%= config.bin %> conference record-usage bank:standup --duration-ms 60000 --billed-gas 5 --key-file alice.json',
  ]
  static override args = callArg
  static override flags = {
    'duration-ms': Flags.integer({ description: 'duration in ms', required: true, min: 1 }),
    'billed-gas': Flags.integer({ description: 'billed gas', default: 0, min: 0 }),
    private: Flags.boolean({ description: 'record with a proof, for a private call' }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ConferenceRecordUsage)
    const [duration, gas] = [BigInt(flags['duration-ms']), BigInt(flags['billed-gas'])]
    const host = flags.private ? await gatewayPair(await this.settings(flags)) : undefined
    await this.send(flags, async ({ client, address, read }) => {
      if (host !== undefined) {
        const usage = await proofFile(client, args.call, host, address, (prover, by) => prover.usage(by, duration, gas))
        return [usage.instruction]
      }
      const figures = { duration_ms: String(duration), billed_gas: String(gas) }
      return [
        read(conferences.recordConferenceUsage, { call: args.call, ...figures, usage_commitment: null, proof: null }),
      ]
    })
  }
}
