import { Args } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { pairs } from '../../src/cli/terminal/output.js'
import { EXIT } from '../../src/model/errors.js'

export default class ConferenceVerify extends BaseCommand {
  static override description = `Check a saved proof of \`conference prove\` offline against its statement.
Only the ledger can decide whether the statement matches the call. Exits 10 if the proof is invalid.`
  static override examples = ['<%= config.bin %> conference verify join.json']
  static override args = {
    file: Args.string({ description: 'proof as JSON, or - for standard input', required: true, ignoreStdin: true }),
  }

  async run(): Promise<void> {
    const { args } = await this.parse(ConferenceVerify)
    const { readJsonInput } = await import('../../src/cli/input/json.js')
    const { claimOf } = await import('../../src/cli/conference/proofs.js')
    const { verifyConference } = await import('../../src/client/index.js')
    const claim = claimOf(await readJsonInput(args.file), args.file)
    const valid = (await verifyConference(claim)) === 'proven'
    const { relation, chain, call } = claim.statement
    const view = { relation, chain, call, keys: claim.keys?.length ?? 0, valid }
    const text = pairs([
      ['proves', relation],
      ['chain', chain],
      ['call', call],
      ['keys on the list', String(view.keys)],
      ['result', valid ? 'valid' : 'invalid'],
    ])
    this.out.result(view, text)
    if (!valid) this.exitWith(EXIT.checkFailed)
  }
}
