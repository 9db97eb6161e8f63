// Writes the pages of docs/generated from the compiled code and the manifest, those of docs/concepts from the pages of features, and
// the template of the configuration with its schema; `--check` fails when one has drifted.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { Registry } from 'prom-client'
import { licences } from './licences.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const dist = (path) => import(join(root, 'dist', 'src', path))
const NOTE = 'Generated from the code by `npm run docs`; a test checks that this page is up to date.'

const cell = (text) => String(text).replace(/\s+/g, ' ').replaceAll('|', '\\|').replaceAll('<', '&lt;').trim()
const table = (head, rows) =>
  [
    `| ${head.join(' | ')} |`,
    `|${head.map(() => '---').join('|')}|`,
    ...rows.map((row) => `| ${row.map(cell).join(' | ')} |`),
  ].join('\n')
const page = (title, intro, ...parts) => `${[`# ${title}`, NOTE, intro, ...parts].join('\n\n')}\n`
const code = (text) => `\`${text}\``

function commandsPage() {
  const { commands } = JSON.parse(readFileSync(join(root, 'oclif.manifest.json'), 'utf8'))
  const flagRow = (flag) => {
    const value =
      flag.type === 'boolean'
        ? ''
        : ` ${flag.options === undefined ? (flag.helpValue ?? 'VALUE') : flag.options.join('\\|')}`
    const more = [
      flag.required === true ? 'required' : '',
      flag.default === undefined || flag.default === false || flag.default === '' ? '' : `default ${flag.default}`,
      flag.multiple === true && !/may be repeated/.test(flag.description ?? '') ? 'may be repeated' : '',
    ].filter(Boolean)
    return [code(`--${flag.name}${value}`.replaceAll('\\|', ', ')), [flag.description ?? '', ...more].join('; ')]
  }
  const sections = Object.entries(commands).map(([id, command]) => {
    const words = id.replaceAll(':', ' ')
    const args = Object.values(command.args)
    const usage = args.map(({ name, required }) => (required ? name.toUpperCase() : `[${name.toUpperCase()}]`))
    const flags = Object.values(command.flags).filter((flag) => flag.helpGroup !== 'GLOBAL')
    const examples = (command.examples ?? []).map((one) => String(one).replaceAll('<%= config.bin %>', 'causeway'))
    return [
      `## causeway ${[words, ...usage].join(' ')}`,
      command.description.replaceAll('<%= config.bin %>', 'causeway'),
      ...(args.length === 0
        ? []
        : [
            table(
              ['Argument', 'Meaning'],
              args.map((arg) => [code(arg.name.toUpperCase()), arg.description ?? '']),
            ),
          ]),
      ...(flags.length === 0 ? [] : [table(['Flag', 'Meaning'], flags.map(flagRow))]),
      ['```text', ...examples, '```'].join('\n'),
    ].join('\n\n')
  })
  const [first] = Object.values(commands)
  const globals = Object.values(first.flags).filter((flag) => flag.helpGroup === 'GLOBAL')
  const intro = 'Every command takes the global flags:'
  return page('Commands', intro, table(['Flag', 'Meaning'], globals.map(flagRow)), ...sections)
}

async function errorsPage() {
  // The features add their codes to the catalogue.
  await dist('features/composed.js')
  const { ERRORS, EXIT } = await dist('model/errors.js')
  const exits = table(
    ['Exit code', 'Meaning'],
    Object.entries(EXIT).map(([name, number]) => [
      number,
      name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`),
    ]),
  )
  const rows = Object.entries(ERRORS).map(([name, { http, exit, means, hint }]) => [
    code(name),
    http === 0 ? '-' : http,
    exit,
    means,
    hint,
  ])
  return page(
    'Errors',
    'HTTP responses and commands contain the same `{code, message, hint?, details?}`. The exit code does not depend on `--json`; 130 and 143 mean a signal.',
    exits,
    table(['Code', 'HTTP', 'Exit', 'Meaning', 'Hint'], rows),
    '## Details',
    'Besides its message, an HTTP error reports one closed record of details; each code fills some of its fields.',
    table(['Field', 'Meaning'], await detailRows()),
  )
}

async function detailRows() {
  const { ERROR_DETAILS_JSON_SCHEMA } = await dist('api/schema/error-details.js')
  return Object.entries(ERROR_DETAILS_JSON_SCHEMA.properties).map(([name, { description }]) => [
    code(name),
    description,
  ])
}

async function configPage() {
  const { NODE_KEYS, envNameOf } = await dist('node/config/index.js')
  const { SECTION_DOCS } = await dist('node/config/keys.js')
  const kindOf = ({ type, min, max, values }) =>
    [
      type,
      min === undefined && max === undefined ? '' : `${min ?? ''} to ${max ?? ''}`,
      values === undefined ? '' : values.join(', '),
    ]
      .filter(Boolean)
      .join(', ')
  const shown = (value) => (value === undefined ? '-' : code(JSON.stringify(value)))
  const sections = new Map()
  for (const def of NODE_KEYS) {
    const section = def.path.slice(0, -1).join('.')
    sections.set(section, [...(sections.get(section) ?? []), def])
  }
  const parts = [...sections].map(([section, defs]) =>
    [
      section === '' ? '## Top level' : `## [${section}]`,
      ...(SECTION_DOCS[section] === undefined ? [] : [SECTION_DOCS[section]]),
      table(
        ['Key', 'Kind', 'Default', 'Variable', 'Reload', 'Meaning'],
        defs.map((def) => [
          code(def.path.at(-1)),
          kindOf(def.kind),
          def.required ? 'required' : shown(def.fallback),
          code(envNameOf(def.path)),
          def.reloads === true ? 'yes' : '-',
          def.doc.join(' '),
        ]),
      ),
    ].join('\n\n'),
  )
  return page(
    'Node configuration',
    'A TOML file for `causeway node start --config`. A variable overrides the file; `causeway config explain KEY` shows the source of a value. Keys with "yes" under Reload take effect at `causeway node reload`, the others at the next start.',
    ...parts,
  )
}

async function metricsPage() {
  const { metricsOf } = await dist('api/metrics.js')
  const registry = new Registry()
  const { addRuntimeMetrics } = await dist('node/status/process.js')
  metricsOf(registry)
  addRuntimeMetrics(registry)
  for (const { metrics } of Object.values(await dist('features/node.js'))) metrics?.(registry)
  const rows = registry
    .getMetricsAsArray()
    .map((one) => [
      code(one.name),
      one.constructor.name.toLowerCase(),
      (one.labelNames ?? []).map(code).join(' '),
      one.help,
    ])
  return page(
    'Metrics',
    '`GET /metrics` in the text exposition format; the telemetry profile decides whether it answers.',
    table(
      ['Name', 'Kind', 'Labels', 'Meaning'],
      rows.sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
  )
}

async function routesPage() {
  const { OWN_ROUTES } = await dist('gateway/handlers/index.js')
  const { FEATURE_ROUTES } = await dist('features/composed.js')
  const seen = new Set()
  const rows = [...OWN_ROUTES, ...FEATURE_ROUTES].filter(({ id }) => !seen.has(id) && seen.add(id))
  return page(
    'Routes',
    '`GET /openapi` of a node has the same rows with the schemas of bodies and responses; `causeway api METHOD PATH` sends a request to any of them.',
    table(
      ['Method', 'Path', 'Access', 'Telemetry', 'Format', 'Answers'],
      rows.map((row) => [row.method, code(row.path), row.access, row.profile ?? '-', row.format, row.summary]),
    ),
  )
}

/** Named bounds with the sentence that stands before each. */
function boundsOf(file) {
  const text = readFileSync(file, 'utf8')
  const form =
    /\/\*\*((?:[^*]|\*(?!\/))+)\*\/\n(?:export )?const ([A-Z][A-Z0-9_]*(?:MAX|MIN|_MS|BYTES|LIMIT|AT_ONCE)[A-Z0-9_]*)(?:: number)? = ([\d_ *+()-]+)\n/g
  return [...text.matchAll(form)].map(([, meaning, name, value]) => [
    code(name),
    code(value.trim()),
    meaning.replace(/\n \*/g, ' '),
    code(relative(root, file)),
  ])
}

async function limitsPage() {
  const { NEWEST_ABI } = await dist('features/abi.js')
  const { SYSTEM_TABLES } = await dist('executor/index.js')
  const tables = [...SYSTEM_TABLES, ...NEWEST_ABI.features.flatMap((feature) => feature.tables)]
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .sort()
  const parameters = [...NEWEST_ABI.parameters.values()].map((def) => [
    code(def.name),
    code(JSON.stringify(def.schema.toJson(def.fallback))),
    def.activationDelay,
  ])
  return page(
    'Limits',
    'Limits of the chain are parameters, set on the ledger (`causeway parameter set`); limits of one program are constants of its code.',
    '## Parameters of the chain',
    table(['Parameter', 'Default', 'Delay in blocks'], parameters),
    '## Rows of the state',
    'No row grows with use: its declaration has a largest encoding. A table has as many rows as are paid for, unless the last column names a limit.',
    table(
      ['Table', 'Bytes of a row at most', 'Contents of a row', 'Filled by', 'When full, and removal'],
      tables.map(({ name, value, bound }) => [code(name), value.maxSize, bound.holds, bound.filledBy, bound.atBound]),
    ),
    '## Bounds in the code',
    table(
      ['Name', 'Value', 'Meaning', 'File'],
      files.flatMap((name) => boundsOf(join(root, 'src', name))),
    ),
  )
}

async function executionsPage() {
  const { EXECUTIONS } = await dist('executor/index.js')
  const rows = Object.entries(EXECUTIONS)
  const name = (text) => text.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return page(
    'Executions',
    'All executions of instructions, contracts, proofs and queries, with their limits. Every executing function requires a row of this table as a parameter. Parameters of the chain are set in `code`; Execution units (TEU) are explained under [costs](costs.md).',
    '## Thread, cause and payer',
    table(
      ['Execution', 'Work', 'Thread', 'Turn', 'Caused by', 'Paid by'],
      rows.map(([key, { about, thread, turn, asker, charged }]) => [name(key), about, thread, turn, asker, charged]),
    ),
    '## Limits',
    table(
      ['Execution', 'Units', 'Gas', 'Events', 'Bytes', 'Time', 'At the bound'],
      rows.map(([key, { units, gas, events, bytes, time, ends }]) => [
        name(key),
        units,
        gas,
        events,
        bytes,
        time,
        ends,
      ]),
    ),
  )
}

async function costsPage() {
  const { NEWEST_ABI } = await dist('features/abi.js')
  const { costText, teuOf, ...executor } = await dist('executor/index.js')
  const state = await dist('state/index.js')
  const { ROSTER_MAX } = await dist('model/index.js')
  const codec = await dist('codec/index.js')
  const { pascalCase } = codec
  const rows = NEWEST_ABI.features
    .flatMap((feature) => feature.instructions)
    .sort((a, b) => a.id - b.id)
    .map((def) => [def.id, code(pascalCase(def.kind)), code(def.label), costText(def.cost)])
  const costOf = (kind, value) => teuOf(NEWEST_ABI.instructions.get(kind).cost, value, 'record')
  const envelope = { committeeKeys: Array.from({ length: ROSTER_MAX }) }
  const thresholds = [
    ['no peer can be registered and no consensus key rotated', costOf('registerPeer')],
    ['relay envelopes of the largest committees stay out', costOf('acceptRelayEnvelope', { envelope })],
  ]
  return page(
    'Costs',
    'The cost of a transaction, in transaction execution units (TEU). Table and rules are part of the ABI: its hash covers them, and nodes with different ones do not connect. One unit is about 0.11 microseconds of one core.',
    [
      `**Static**, known before it runs: ${executor.TEU_PER_SIGNATURE} per signature, 1 per ${executor.RECORD_BYTES_PER_UNIT} bytes of the signed record, 1 per ${executor.JSON_WEIGHT_PER_UNIT} of the weight of its JSON (a list ${codec.LIST_WEIGHT}, a field ${codec.FIELD_WEIGHT}, an object ${codec.OBJECT_WEIGHT}: reading them is slower than their size suggests), and its instructions by this table. Queue, lanes and blocks count it.`,
      '',
      '**Metered**, the basis of the fee: the static cost and the work of its execution, even if it is rejected:',
      '',
      `- each row that is read: ${state.ROW_TOUCH_UNITS}, and 1 per ${state.READ_BYTES_PER_UNIT} bytes of its key and record at the first time;`,
      `- each row that is written or removed: ${state.ROW_CHANGE_UNITS}, and 1 per ${state.WRITE_BYTES_PER_UNIT} bytes of key and record, by the largest that is written there; each further write of it: 1 per ${state.READ_BYTES_PER_UNIT};`,
      `- events: 1 per ${executor.EVENT_BYTES_PER_UNIT} bytes of all of them;`,
      `- the instructions of triggers and proposals that run in it, by this table and the weight of their JSON, and ${executor.MATCH_TEU} for each trigger that an event triggers; a trigger of another account may use at most a quarter of the limit of that transaction.`,
      '',
      `A run of a time or pre-commit trigger costs ${executor.RUN_TEU} and the rows that it reads, then as above. The limit is \`teu_limit\` in the metadata, otherwise \`max_teu_per_tx\`, never less than the static cost; at the limit a transaction is rejected (\`teu_exhausted\`) and pays it.`,
    ].join('\n'),
    table(['Id', 'Instruction', 'Label', 'TEU'], rows),
    [
      'Thresholds of `max_teu_per_tx`, without the bytes of the record:',
      '',
      ...thresholds.map(([text, teu]) => `- below ${(teu + executor.TEU_PER_SIGNATURE).toLocaleString('en')} ${text};`),
    ].join('\n'),
  )
}

async function permissionsPage() {
  const { NEWEST_ABI } = await dist('features/abi.js')
  const { objectOf } = await dist('executor/permission.js')
  const rows = NEWEST_ABI.features.flatMap(({ name: feature, permissions }) =>
    permissions.map((permission) => [
      permission.name,
      objectOf(permission),
      permission.grantedBy === undefined ? '-' : code(permission.grantedBy),
      feature,
    ]),
  )
  return page(
    'Permissions',
    'Names of the permissions of accounts and roles, with the kind of their object ([granting](../reference/instructions.md#permissions-and-roles)).',
    table(
      ['Permission', 'Object', 'Granted by holders of', 'Feature'],
      rows.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, ...rest]) => [code(name), ...rest]),
    ),
  )
}

async function eventsPage() {
  const { NEWEST_ABI } = await dist('features/abi.js')
  const { jsonSchemaRefs, pascalCase, referredName } = await dist('codec/index.js')
  const fieldsOf = (schema) => {
    const refs = jsonSchemaRefs()
    const { properties = {} } = refs.components.get(referredName(schema.jsonSchema(refs))) ?? {}
    return Object.keys(properties).map(code).join(' ')
  }
  const rows = NEWEST_ABI.features.flatMap(({ name: feature, events }) =>
    events.map(({ id, kind, subject, schema }) => [
      id,
      code(pascalCase(kind)),
      feature,
      subject === undefined ? '-' : code(subject),
      fieldsOf(schema),
    ]),
  )
  return page(
    'Events',
    'Changes made by transactions, as reported by [streams](../reference/streams.md). A filter names an event or a feature; a data trigger names a subject, if the event has one.',
    table(
      ['Id', 'Event', 'Feature', 'Subject', 'Fields'],
      rows.sort(([a], [b]) => a - b),
    ),
  )
}

function licencesPage() {
  const { bundled, installed } = licences(root)
  const [traces] = Object.keys(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).peerDependencies)
  const head = ['Package', 'Version', 'Licence']
  return page(
    'Licences',
    'Causeway is licensed under Apache-2.0 (`LICENSE`). It consists of the packages below too.',
    '## Inside the bundle',
    'Code of these packages is part of the package `causeway`. `dist/bundle/THIRD-PARTY.txt` has the texts of their licences. The pages of the explorer contain [Preact](https://github.com/preactjs/preact) and [uPlot](https://github.com/leeoniya/uPlot), both MIT.',
    table(head, bundled),
    '## Installed by npm',
    'npm installs these, some of them on one platform only. The texts of their licences are in their folders.',
    table(head, installed),
    `[Traces](../concepts/traces.md) need \`${traces}\` and its dependencies, all of OpenTelemetry under Apache-2.0, which npm installs only on request.`,
    '## Known vulnerabilities',
    [
      '`npm audit --omit=dev` asks the registry for vulnerabilities of the installed packages. Packages inside the bundle are development',
      'dependencies of a clone: `npm audit` there includes them, and also tools that no release contains; only packages in the tables above concern a release.',
      'A registry without an endpoint for audits, as mirrors often are, answers 405 or 404: then check these tables against the database of your choice.',
    ].join('\n'),
  )
}

/** Pages that features have in their folders, by the name of the feature. */
function featurePages() {
  const folder = join(root, 'src', 'features')
  return readdirSync(folder)
    .sort()
    .filter((name) => existsSync(join(folder, name, 'README.md')))
    .map((name) => [name, readFileSync(join(folder, name, 'README.md'), 'utf8')])
}

/** The page of a feature with its links as they go from docs/concepts. */
function conceptPage(name, text) {
  const from = join('src', 'features', name)
  const moved = text.replace(
    /\]\((?!#|[a-z]+:)([^)\s]+)\)/g,
    (_, link) => `](${relative('docs/concepts', join(from, link))})`,
  )
  return moved.replace('\n', `\n\nGenerated by \`npm run docs\` from \`${from}/README.md\`.\n`)
}

/** The index of concepts: its list of features follows from their pages. */
function conceptIndex(features) {
  const held = readFileSync(join(root, 'docs', 'concepts', 'README.md'), 'utf8')
  const [own] = held.split('## Features\n')
  const items = features.map(([name, text]) => {
    const [, title, first] = /^# (.+)\n\n([\s\S]+?[.;])\s/.exec(text) ?? []
    if (title === undefined) throw new Error(`src/features/${name}/README.md: expected a title and a first sentence`)
    return `- [${title}](${name}.md): ${first.replaceAll('\n', ' ').replace(/;$/, '.')}`
  })
  return `${own}## Features\n\nThe pages are copies from the folders of the features, made by \`npm run docs\`.\n\n${items.join('\n')}\n`
}

const features = featurePages()
const { nodeConfigJsonSchema, renderNodeConfig } = await dist('node/config/render.js')
const pages = {
  'docs/generated/commands.md': commandsPage(),
  'docs/generated/errors.md': await errorsPage(),
  'docs/generated/config.md': await configPage(),
  'docs/generated/metrics.md': await metricsPage(),
  'docs/generated/routes.md': await routesPage(),
  'docs/generated/limits.md': await limitsPage(),
  'docs/generated/executions.md': await executionsPage(),
  'docs/generated/costs.md': await costsPage(),
  'docs/generated/permissions.md': await permissionsPage(),
  'docs/generated/events.md': await eventsPage(),
  'docs/generated/licences.md': licencesPage(),
  ...Object.fromEntries(features.map(([name, text]) => [`docs/concepts/${name}.md`, conceptPage(name, text)])),
  'docs/concepts/README.md': conceptIndex(features),
  'templates/config/node.toml': renderNodeConfig(),
  'templates/config/node.schema.json': `${JSON.stringify(nodeConfigJsonSchema(), null, 2)}\n`,
}

/** True if a file has this content; of JSON the formatter decides the line breaks. */
function isCurrent(path, text) {
  if (!existsSync(path)) return false
  const held = readFileSync(path, 'utf8')
  return held === text || (path.endsWith('.json') && isDeepStrictEqual(JSON.parse(held), JSON.parse(text)))
}

const drifted = Object.entries(pages).filter(([name, text]) => !isCurrent(join(root, name), text))
if (!process.argv.includes('--check')) for (const [name, text] of drifted) writeFileSync(join(root, name), text)
else if (drifted.length > 0) {
  const names = drifted.map(([name]) => name).join(', ')
  console.error(`docs: ${names} drifted from the code. Run \`npm run docs\` and commit the result.`)
  process.exit(1)
}
