import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../src/cli/command/base-command.js'
import { withGateway } from '../src/cli/gateway/gateway.js'
import { parseJsonText, readJsonInput } from '../src/cli/input/json.js'
import { listOrThrow } from '../src/cli/ledger/query-errors.js'
import { usageError } from '../src/cli/terminal/failure.js'

export default class Query extends BaseCommand {
  static override description = `Run a query of the ledger, signed with your key.
Prints one record, or the items of a list, one per line.
An unknown name lists the known queries.`
  static override examples = [
    '<%= config.bin %> query account \'{"alias": "alice@bank"}\' --key-file alice.json',
    '<%= config.bin %> query domains --sort id:desc --limit 10',
    '<%= config.bin %> query assetDefinitions --where \'{"Gte": {"field": "total_quantity", "value": "1000"}}\'',
    '<%= config.bin %> query account - < input.json',
  ]
  static override args = {
    kind: Args.string({ description: 'name of the query', required: true, ignoreStdin: true }),
    input: Args.string({ description: 'input as JSON, or - for standard input', default: '{}', ignoreStdin: true }),
  }
  static override flags = {
    items: Flags.boolean({ description: 'print items one per line even if the input gives a page' }),
    where: Flags.string({ description: 'predicate as JSON', helpValue: 'JSON' }),
    sort: Flags.string({ description: 'field to sort by, field:asc or field:desc; may be repeated', multiple: true }),
    limit: Flags.integer({ description: 'maximum number of items', min: 1 }),
    offset: Flags.integer({ description: 'number of items to skip', min: 0 }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Query)
    const settings = await this.settings(flags)
    const input = args.input === '-' ? await readJsonInput('-') : parseJsonText(args.input, 'input')
    const { where, sort, limit, offset } = flags
    const iterable =
      flags.items || where !== undefined || sort !== undefined || limit !== undefined || offset !== undefined
    const { predicate: schema } = await import('../src/api/index.js')
    const condition = where === undefined ? undefined : schema.parseJson(where)
    if (condition !== undefined && !condition.ok) throw usageError(`--where: ${condition.fault.message}`)
    const sorting = (sort ?? []).map((text) => {
      const match = /^(.+?)(?::(asc|desc))?$/.exec(text)
      return { field: match?.[1] ?? text, order: match?.[2] === 'desc' ? ('desc' as const) : ('asc' as const) }
    })
    await withGateway(
      settings,
      async (client) => {
        const record = iterable ? undefined : await client.query(args.kind, input).catch(listOrThrow(args.kind))
        if (record !== undefined) return this.out.result(record, JSON.stringify(record, null, 2))
        const request = {
          sorting,
          predicate: condition?.value,
          limit,
          offset,
        }
        for await (const item of client.queryItems(args.kind, input, request)) this.out.line(item, JSON.stringify(item))
      },
      { signed: true },
    )
  }
}
