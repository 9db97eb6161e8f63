import { Args } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { getJson, proofWords, stateJson, type View, withGateway } from '../../src/cli/gateway/gateway.js'
import { hashOf } from '../../src/cli/input/values.js'
import { pairs } from '../../src/cli/terminal/output.js'
import { isoTime } from '../../src/cli/text/figures.js'
import type { CausewayClient } from '../../src/client/index.js'
import type { Json } from '../../src/codec/index.js'
import { LedgerError } from '../../src/model/errors.js'

/** What a transaction in a block contains, in lines; nothing where this node does not hold its block. */
async function contentOf(
  client: CausewayClient,
  gateway: string,
  hash: string,
  verbose: boolean,
): Promise<(readonly [string, string])[]> {
  const { instructionReader } = await import('../../src/cli/transaction/instructions.js')
  const answer = await getJson(client, ({ explorer }) => explorer.transaction, { params: { hash } }).catch(absent)
  if (answer === undefined) return []
  const { time_ms: timeMs, authority, instructions } = answer as View
  const jsonForms = instructions as readonly Json[]
  const reader = await instructionReader(client, gateway, [...jsonForms, String(authority)])
  const linesOf = (jsonForm: Json): readonly string[] => (verbose ? [JSON.stringify(jsonForm)] : reader.lines(jsonForm))
  return [
    ['time', isoTime(timeMs)],
    ['signed by', reader.names.named(String(authority))],
    ...jsonForms.flatMap((one, at) =>
      linesOf(one).map((line, row) => [row === 0 ? `instruction ${at}` : '', line] as const),
    ),
  ]
}

/** What a node answers that is pruned below the block of the transaction. */
function absent(error: unknown): undefined {
  if (!(error instanceof LedgerError)) throw error
}

export default class TxShow extends BaseCommand {
  static override description = 'Show the status of a transaction, and its content once it is committed.'
  static override examples = ['<%= config.bin %> tx show 5f0c...', '<%= config.bin %> tx show 5f0c... --json']
  static override args = {
    hash: Args.string({ description: 'hash of the transaction', required: true, ignoreStdin: true }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(TxShow)
    const hash = hashOf(args.hash)
    const settings = await this.settings(flags)
    const { state, content } = await withGateway(settings, async (client) => {
      const found = await client.prove(hash, await client.transactionStatus(hash))
      const isShown = found.height !== undefined && !this.out.json
      return { state: found, content: isShown ? await contentOf(client, settings.gateway, hash, this.out.verbose) : [] }
    })
    if (state.state === 'unknown') {
      throw new LedgerError('not_found', `transaction ${hash} is unknown to ${settings.gateway}`, {
        hint:
          state.firstHeight === undefined
            ? 'Another node may still have it in its queue.'
            : `This node does not store blocks before height ${state.firstHeight}: ask a node that keeps all of them.`,
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
      ...content,
    ])
    this.out.result(view, text)
  }
}
