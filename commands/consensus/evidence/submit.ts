import { Args } from '@oclif/core'
import { BaseCommand } from '../../../src/cli/command/base-command.js'
import { readInput } from '../../../src/cli/input/input.js'

/** Largest file of evidence, in bytes: two certificates in hexadecimal, with room for blanks. */
const EVIDENCE_MAX_BYTES = 16 * 1024

export default class ConsensusEvidenceSubmit extends BaseCommand {
  static override description = `Submit evidence of a fault: a file with the record in hexadecimal.
The node verifies it and sends it to its peers, and one of the next blocks contains it. The request is signed with an operator key.`
  static override examples = [
    '<%= config.bin %> consensus evidence submit fault.hex --key-file operator.json',
    'cat fault.hex | <%= config.bin %> consensus evidence submit - --key-file operator.json',
  ]
  static override args = {
    file: Args.string({
      description: 'record in hexadecimal, or - for standard input',
      required: true,
      ignoreStdin: true,
    }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ConsensusEvidenceSubmit)
    const settings = await this.settings(flags)
    const { postJson, withGateway } = await import('../../../src/cli/gateway/gateway.js')
    const text = (await readInput(args.file, EVIDENCE_MAX_BYTES)).toString('utf8').trim()
    const view = await withGateway(
      settings,
      async (client) => {
        const answer = await postJson(client, ({ consensus }) => consensus.evidenceSubmit, { evidence_hex: text })
        return answer as { readonly status: string; readonly kind: string | null }
      },
      { signed: true },
    )
    this.out.result(view, `${view.status}${view.kind === null ? '' : `: ${view.kind}`}`)
  }
}
