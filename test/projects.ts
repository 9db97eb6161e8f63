/** Owns how the test files of each project run. */
import type { Plugin, UserWorkspaceConfig } from 'vitest/config'
import { featureFixtures } from './feature-fixtures.js'
import { variantPlugin } from './simulation/variant-plugin.js'
import { FOLDERS, POOLS, type ProjectName, SHORT_PROCESS_FILES, SUITE } from './suites.mjs'

const NAMES = Object.keys(FOLDERS) as ProjectName[]

const globs = (folders: readonly string[]): string[] => folders.map((folder) => `${folder}/**/*.test.{ts,tsx}`)
/** Folders of other projects inside those of this one. */
const insideOf = (name: ProjectName): string[] =>
  NAMES.flatMap((other) => FOLDERS[other]).filter((folder) => FOLDERS[name].some((own) => folder.startsWith(`${own}/`)))
const included = (name: ProjectName): string[] =>
  name === 'process' && SUITE === 'short' ? [...SHORT_PROCESS_FILES] : globs(FOLDERS[name])

/** Files of a project share a worker: imports, compiled code and caches of one file serve the next. */
const setupFiles = ['test/support/meter.ts', 'test/support/clean-up.ts', 'test/support/fixed-seed.ts']
const needsBuild = { globalSetup: ['test/support/fresh-build.ts'] }

const settings: Record<ProjectName, object> = {
  unit: { setupFiles: [...setupFiles, 'test/support/no-build.ts'] },
  node: needsBuild,
  sim: {},
  process: needsBuild,
}

/** Plugins that change how a project reads modules. */
const plugins: Partial<Record<ProjectName, Plugin[]>> = { node: [featureFixtures()], sim: [variantPlugin()] }

/** The projects, one after the other: tests that wait for processes do not run beside those that use the processor alone. */
export const PROJECTS: UserWorkspaceConfig[] = NAMES.map((name, groupOrder) => ({
  plugins: plugins[name] ?? [],
  test: {
    name,
    pool: POOLS[name],
    isolate: false,
    setupFiles,
    include: included(name),
    exclude: globs(insideOf(name)),
    sequence: { groupOrder },
    ...settings[name],
  },
}))
