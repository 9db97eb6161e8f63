import { Args } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { textOf, type View, viewOf, withGateway } from '../../src/cli/gateway/gateway.js'
import { permissionOf } from '../../src/cli/ledger/forms.js'
import { table } from '../../src/cli/terminal/output.js'

export default class PermissionHolders extends BaseCommand {
  static override description = `List the holders of a permission, Name or Name:object: accounts, and roles.
The owner of an object revokes a permission with \`permission revoke\`. The query is signed with your key.`
  static override examples = [
    '<%= config.bin %> permission holders CanMint:usd#bank --key-file admin.json',
    '<%= config.bin %> permission holders CanManagePeers --json',
  ]
  static override args = {
    permission: Args.string({
      description: 'Name for a global permission, otherwise Name:object',
      required: true,
      ignoreStdin: true,
    }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(PermissionHolders)
    const items: View[] = []
    await withGateway(
      await this.settings(flags),
      async (client) => {
        const { resolveAccount, resolveAsset } = await import('../../src/cli/transaction/resolve.js')
        const { permissionError } = await import('../../src/cli/ledger/query-errors.js')
        const codec = await client.codec()
        const account = (text = ''): Promise<string> => resolveAccount(client, text)
        const asset = (text: string): Promise<string> => resolveAsset(client, text)
        const subject = await permissionOf(args.permission, { account, asset, codec })
        try {
          for await (const item of client.queryItems('permissionHolders', subject)) items.push(viewOf(item))
        } catch (error) {
          throw permissionError(error, args.permission)
        }
      },
      { signed: true },
    )
    const rows = items.map(({ holder }) =>
      Object.entries(viewOf(holder)).flatMap(([kind, id]) => [kind, textOf(id) ?? '']),
    )
    this.out.result({ items }, table(['HOLDER', 'ID'], rows))
  }
}
