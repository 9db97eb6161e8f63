/** Owns commands that are generated from the route table: arguments, flags and help of a command that prints one route. */
import { Args, Flags, type Interfaces } from '@oclif/core'
import { parameterText } from '../../api/parameter-texts.js'
import { parameterFields } from '../../api/parameters.js'
import type { AnyRoute, AnySchema } from '../../api/route.js'
import { type RouteTexts, routes } from '../../client/index.js'
import { type BaseCommand, globalFlags } from '../command/base-command.js'
import type { Columns } from '../command/columns.js'
import { ListCommand } from '../command/list-command.js'
import { ReadCommand } from '../command/read-command.js'
import { type AssetFinder, pageFlags } from '../gateway/pages.js'
import { accountArg, accountFlag, assetArg, assetFlag } from '../input/texts.js'

/** Parts of a route row from which a command is generated. */
type ReadRoute = Pick<AnyRoute, 'id' | 'method' | 'path' | 'summary' | 'access' | 'about'> & {
  readonly params?: AnySchema
  readonly query?: AnySchema
}

/** Declaration of a command that prints the response of one GET route. */
export interface Read {
  readonly route: (all: typeof routes) => ReadRoute
  /** Arguments of the examples in the help; an empty text is the command without arguments. */
  readonly examples: readonly string[]
  /** Additional sentences of the help after the summary of the route. */
  readonly more?: string
  /** Summary, if the summary of the route does not suit the command. */
  readonly summary?: string
  /** Names of parameters on the command line, if they differ from the route. */
  readonly names?: Readonly<Record<string, string>>
  /** Descriptions of parameters, if they differ from the route. */
  readonly about?: Readonly<Record<string, string>>
  /** Values of query parameters that are sent if the flag is absent. */
  readonly defaults?: Readonly<Record<string, string | number>>
  /** Query parameter that is an optional argument instead of a flag. */
  readonly argument?: string
  /** Query parameters without a flag. */
  readonly omit?: readonly string[]
  /** Displayed fields of a record by title; absent: all. */
  readonly fields?: Columns
  /** Columns of a list. A route with a cursor has paging flags. */
  readonly columns?: Columns
  /** Lookup of the assets of the amounts in a list whose records do not name them, shown as the field `asset`. */
  readonly assets?: (texts: RouteTexts) => AssetFinder
  /** True for a public route that returns more data to a request signed with the key of the settings. */
  readonly isSignedWithKey?: true
}

/** Parameters set by the paging flags or the client. */
const PAGING: ReadonlySet<string> = new Set(['cursor', 'offset', 'limit'])

interface Parameter {
  readonly name: string
  /** Name on the command line. */
  readonly shown: string
  readonly description: string
  readonly required: boolean
  /** Name of its schema, which determines its validation. */
  readonly type: string | undefined
  readonly field: ReturnType<typeof parameterFields>[number]
}

/** Description "Show the ..." for a record, "List the ..." for a list, from the summary of a route. */
function description(verb: string, summary: string, more: string | undefined): string {
  const [first = '', second = ''] = summary
  // An abbreviation such as "NFTs" keeps its capitals.
  const text = second === second.toUpperCase() && second !== ' ' ? summary : first.toLowerCase() + summary.slice(1)
  const article = /^(a|an|the|every) /.test(text) ? '' : 'the '
  return `${verb} ${article}${text}.${more === undefined ? '' : `\n${more}`}`
}

/** Descriptions of parameters by schema name. */
const ABOUT: Readonly<Record<string, string>> = {
  AccountText: 'address or alias',
  AssetText: 'asset definition name#domain',
}

/** Description of a parameter for a list of flags: without capital and full stop. */
function aboutText(row: ReadRoute, { about }: Read, { name, refers }: Parameter['field']): string {
  const own = about?.[name] ?? ABOUT[refers ?? '']
  if (own !== undefined) return own
  const text = parameterText(row, name)
  if (text === undefined) throw new Error(`${row.id}: the parameter ${name} has no description`)
  const [first = '', second = ''] = text
  const plain = second === second.toUpperCase() ? text : first.toLowerCase() + text.slice(1)
  return plain.replace(/\.$/, '')
}

function parametersOf(row: ReadRoute, read: Read, schema: AnySchema | undefined): Parameter[] {
  if (schema === undefined) return []
  return parameterFields(schema).map((field) => ({
    name: field.name,
    shown: read.names?.[field.name] ?? field.name.replaceAll('_', '-'),
    description: aboutText(row, read, field),
    required: field.required,
    type: field.refers,
    field,
  }))
}

/** Argument of a name, in canonical form. */
const userNameArg = Args.custom<string>({
  parse: async (text) => (await import('../names/forms.js')).readableName(text),
})

/** Argument of a parameter. */
function argOf({ description: text, required, type, field }: Parameter) {
  const options = { description: text, required, ignoreStdin: true } as const
  if (field.type === 'integer') return Args.integer({ ...options, min: 0 })
  if (type === 'AccountText') return accountArg(options)
  if (type === 'AssetText') return assetArg(options)
  if (type === 'UserName') return userNameArg(options)
  return Args.string(options)
}

/** Flag of a query parameter. */
function flagOf({ name, description: text, required, type, field }: Parameter, { defaults }: Read) {
  const options = { description: text, required }
  const preset = defaults?.[name]
  if (type === 'AccountText') return accountFlag(options)
  if (type === 'AssetText') return assetFlag(options)
  if (field.type === 'boolean') return Flags.boolean({ ...options, allowNo: true })
  const { minimum, maximum, enum: variants } = field.schema
  if (field.type === 'integer') {
    // The limits of an integer format are not a useful bound for users.
    const max = typeof maximum === 'number' && maximum < Number.MAX_SAFE_INTEGER ? { max: maximum } : {}
    const start = typeof preset === 'number' ? { default: preset } : {}
    return Flags.integer({ ...options, ...start, min: typeof minimum === 'number' ? minimum : 0, ...max })
  }
  if (Array.isArray(variants)) {
    const words = (variants as readonly unknown[]).filter((one): one is string => typeof one === 'string')
    return Flags.string({ ...options, options: words.map((one) => one.toLowerCase()) })
  }
  return Flags.string(typeof preset === 'string' ? { ...options, default: preset } : options)
}

/** Parsed values by command-line name. */
type Values = Readonly<Record<string, unknown>>

/** Texts of the parameters of a request, from parsed arguments or flags; absent ones are omitted. */
const textsOf = (parameters: readonly Parameter[], parsed: Values) =>
  Object.fromEntries(
    parameters.flatMap(({ name, shown }) => {
      const value = parsed[shown]
      return value === undefined ? [] : [[name, value as string | number]]
    }),
  )

/** Class of a command for oclif; `id`: its words, separated by blanks. */
export function commandOf(id: string, read: Read): typeof BaseCommand {
  const row = read.route(routes)
  const { columns, fields, route } = read
  const path = parametersOf(row, read, row.params)
  const all = parametersOf(row, read, row.query)
  const hasPages = columns !== undefined && all.some(({ name }) => name === 'cursor')
  const query = all.filter(
    ({ name }) => !read.omit?.includes(name) && !(hasPages ? PAGING.has(name) : name === 'cursor'),
  )
  const args = [...path, ...query.filter(({ name }) => name === read.argument)]
  const flagged = query.filter(({ name }) => name !== read.argument)
  const signing = row.access !== 'public' ? 'always' : read.isSignedWithKey === true ? 'with-key' : 'never'
  const statics = {
    description: description(columns === undefined ? 'Show' : 'List', read.summary ?? row.summary, read.more),
    examples: read.examples.map((words) => `<%= config.bin %> ${id}${words === '' ? '' : ` ${words}`}`),
    args: Object.fromEntries(args.map((one) => [one.shown, argOf(one)])) as Interfaces.ArgInput,
    flags: {
      ...Object.fromEntries(flagged.map((one) => [one.shown, flagOf(one, read)])),
      ...(hasPages ? pageFlags : {}),
    } as Interfaces.FlagInput,
  }
  const textsIn = (given: Values, flags: Values): RouteTexts => ({
    params: textsOf(path, given),
    query: textsOf(query, { ...flags, ...given }),
  })

  if (columns !== undefined) {
    const List = class extends ListCommand {
      async run(): Promise<void> {
        const { args, flags } = await this.parse({ ...statics, baseFlags: globalFlags })
        const { limit, all: isAll } = flags
        const texts = textsIn(args, flags)
        const options = { texts, signing, isWhole: !hasPages, assets: read.assets?.(texts) } as const
        await this.list({ ...flags, limit, all: isAll }, route, columns, options)
      }
    }
    return Object.assign(List, statics)
  }
  const Show = class extends ReadCommand {
    async run(): Promise<void> {
      const { args, flags } = await this.parse({ ...statics, baseFlags: globalFlags })
      const texts = textsIn(args, flags)
      if (fields === undefined) await this.show(flags, route, texts)
      else await this.showFields(flags, route, texts, fields)
    }
  }
  return Object.assign(Show, statics)
}
