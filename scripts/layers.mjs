// Checks that imports only go down (ARCHITECTURE.md, "Imports only go down"), `import type` included.
import { readdirSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cruise } from 'dependency-cruiser'
import extractConfig from 'dependency-cruiser/config-utl/extract-depcruise-config'
import extractTsConfig from 'dependency-cruiser/config-utl/extract-ts-config'
import { folderCircles } from './folder-circles.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
process.chdir(root)

const sources = (folder) =>
  readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath ?? entry.path, entry.name)))

const files = [...sources('src'), ...sources('commands')]
const rules = await extractConfig('./scripts/layers.config.cjs')
const result = await cruise(
  ['src', 'commands'],
  { ruleSet: rules, validate: true, doNotFollow: 'node_modules', tsPreCompilationDeps: true, exclude: '^dist' },
  undefined,
  { tsConfig: extractTsConfig('./tsconfig.json') },
)

const seen = result.output.modules.filter((module) => /^(src|commands)\//.test(module.source)).length
if (seen < files.length) {
  console.error(`layers: the checker saw ${seen} modules but there are ${files.length} source files`)
  process.exit(1)
}
const violations = result.output.summary.violations
for (const violation of violations)
  console.error(`layers: ${violation.rule.name}: ${violation.from} -> ${violation.to}`)
const circles = folderCircles(
  result.output.modules.flatMap(({ source, dependencies }) => dependencies.map(({ resolved }) => [source, resolved])),
)
for (const circle of circles) console.error(`layers: circle of folders: ${[...circle, circle[0]].join(' -> ')}`)
if (violations.length > 0 || circles.length > 0) process.exit(1)
console.log(`layers: ${seen} modules, imports only go down, no circle between folders`)
