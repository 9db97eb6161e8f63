import { Args } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { pairs } from '../../src/cli/command/output.js'
import { proofWords, stateJson, withGateway } from '../../src/cli/gateway/gateway.js'
import { hashOf } from '../../src/cli/input/values.js'
import { LedgerError } from '../../src/model/errors.js'

export default class TxGet extends BaseCommand {
  static override description = 'Show the status of a transaction: queued, approved or rejected in a block, or expired.'
  static override examples = ['<%= config.bin %> tx get 5f0c...', '<%= config.bin %> tx get 5f0c... --json']
  static override args = {
    hash: Args.string({ description: 'hash of the transaction', required: true, ignoreStdin: true }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(TxGet)
    const hash = hashOf(args.hash)
    const settings = await this.settings(flags)
    const state = await withGateway(settings, async (client) =>
      client.prove(hash, await client.transactionStatus(hash)),
    )
    if (state.state === 'unknown') {
      throw new LedgerError('not_found', `${settings.gateway} does not know the transaction ${hash}`, {
        hint:
          state.firstHeight === undefined
            ? 'Another node may still have it in its queue.'
            : `This node holds no blocks before height ${state.firstHeight}: ask a node that keeps all of them.`,
      })
    }
    const view = stateJson(hash, state)
    const text = pairs([
      ['hash', hash],
      ['state', state.state],
      ['height', state.height === undefined ? undefined : String(state.height)],
      ['block', typeof view.block_hash === 'string' ? view.block_hash : undefined],
      ['proof', proofWords(state)],
      ['rejection', state.rejection === undefined ? undefined : `${state.rejection.message} [${state.rejection.code}]`],
    ])
    this.out.result(view, text)
  }
}
