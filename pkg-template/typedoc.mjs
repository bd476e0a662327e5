// The reference of the package: `npm run docs` builds its pages in target/typedoc,
// from the published types.
//
// A name that several entries export has its page under the first of them, so
// entries that re-export others come last. The others stand as in `USE`.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Converter, ReflectionKind } from 'typedoc'
import ts from 'typescript'

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url))
const { exports } = JSON.parse(readFileSync(path('../pkg/package.json'), 'utf8'))
const last = ['tokenweir/ai-sdk', 'tokenweir']

/** The entries that most programs use come first, those that replace another library last. */
const USE = [
  ...['tokenweir', 'tokenweir/blocks', 'tokenweir/fields', 'tokenweir/args', 'tokenweir/tool-calls', 'tokenweir/formats', 'tokenweir/grammar'],
  ...['tokenweir/respond', 'tokenweir/guard', 'tokenweir/ai-sdk', 'tokenweir/react', 'tokenweir/segments', 'tokenweir/edits'],
  ...['tokenweir/membrane', 'tokenweir/agently', 'tokenweir/autobyteus', 'tokenweir/ai-sdk-tool-parser'],
]

/** The entries in this order. The formats one by one are in `formats`. */
export const names = Object.keys(exports).map((name) => `tokenweir${name.slice(1)}`).filter((name) => !/\.json$|\*$/.test(name)).sort((one, other) => placeOf(one) - placeOf(other))

function placeOf(name) {
  const place = USE.indexOf(name)
  if (place < 0) throw new Error(`USE in pkg-template/typedoc.mjs doesn't say where ${name} comes`)
  return place
}

/** The types file of an entry, resolved as a user's compiler does. */
function typesOf(name) {
  const options = { moduleResolution: ts.ModuleResolutionKind.Bundler, module: ts.ModuleKind.ESNext }
  const { resolvedModule } = ts.resolveModuleName(name, path('../package.json'), options, ts.sys)
  if (resolvedModule === undefined) throw new Error(`${name} has no types: run \`npm run build\` first`)
  return resolvedModule.resolvedFileName
}

const entries = new Map([...names.filter((name) => !last.includes(name)), ...last].map((name) => [typesOf(name), name]))

/** Names modules by their import paths, not by their files. */
function nameModules({ converter }) {
  converter.on(Converter.EVENT_CREATE_DECLARATION, (context, reflection) => {
    if (!reflection.kindOf(ReflectionKind.Module)) return
    const file = context.getSymbolFromReflection(reflection)?.declarations?.[0]?.getSourceFile().fileName
    reflection.name = entries.get(file) ?? reflection.name
  })
}

/** @type {Partial<import('typedoc').TypeDocOptions>} */
export default {
  name: 'tokenweir',
  entryPoints: [...entries.keys()],
  plugin: [nameModules],
  tsconfig: path('tsconfig.docs.json'),
  out: path('../target/typedoc'),
  readme: 'none',
  githubPages: false,
  // Their lines would refer to the declarations, not the sources.
  disableSources: true,
  excludePrivate: true,
  excludeProtected: true,
  excludeInternal: true,
  sort: ['source-order'],
  sortEntryPoints: false,
  // What a program calls comes first.
  groupOrder: ['Modules', 'Functions', 'Classes', 'Variables', '*', 'References'],
  validation: { notExported: true, invalidLink: true, rewrittenLink: true, notDocumented: true },
  requiredToBeDocumented: ['Module', 'Variable', 'Function', 'Class', 'Interface', 'Property', 'Method', 'Accessor', 'TypeAlias'],
  // Steps of the types that a schema describes, which are shown by what they give, and the platform's classes.
  intentionallyNotExported: ['Typed', 'Readable', 'Signal', 'Transform', 'OfShape', 'IsOpen', 'Scalar', 'PathAfter', 'FirstStep', 'KeyAt', 'Named', 'NotATypesName', 'JsonSchemaLike', 'JsonSchemaOfScalar', 'ItemAt', 'MemberAt', 'FirstKey', 'OfTool', 'OfEither', 'OutputOf', 'Library', 'StopOf', 'Meaning', 'Role', 'KnownIn', 'AnyTag', 'Attributes', 'StartOf', 'ChunkMetaOf', 'BlockOf', 'CallOf', 'OneTool'],
  treatWarningsAsErrors: true,
}
