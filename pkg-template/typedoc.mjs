// The reference of the package: `npm run docs` builds its pages in target/typedoc,
// from the published types.
//
// A name that several entries export has its page under the first of them, so
// entries that re-export others come last.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Converter, ReflectionKind } from 'typedoc'
import ts from 'typescript'

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url))
const { exports } = JSON.parse(readFileSync(path('../pkg/package.json'), 'utf8'))
const last = ['tokenweir/ai-sdk', 'tokenweir/slim', 'tokenweir']
// The formats one by one are in `formats`.
const names = Object.keys(exports).map((name) => `tokenweir${name.slice(1)}`).filter((name) => !/\.(wasm|json)$|\*$/.test(name))

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
  validation: { notExported: true, invalidLink: true, rewrittenLink: true, notDocumented: true },
  requiredToBeDocumented: ['Module', 'Variable', 'Function', 'Class', 'Interface', 'Property', 'Method', 'Accessor', 'TypeAlias'],
  // Required by the surrounding types, not its own.
  intentionallyNotDocumented: ['WebAssembly', 'WebAssembly.__type.Module', 'WebAssembly.__type.Module.__type.prototype'].map((name) => `tokenweir/slim.WasmModule.__type.${name}`),
  // Steps of the types that a schema describes, which are shown by what they give, and the platform's classes.
  intentionallyNotExported: ['Typed', 'Platform', 'Readable', 'Signal', 'Transform', 'OfShape', 'IsOpen', 'Scalar', 'PathAfter', 'FirstStep', 'KeyAt', 'Named', 'NotATypesName', 'JsonSchemaLike', 'JsonSchemaOfScalar', 'ItemAt', 'MemberAt', 'FirstKey', 'OfTool', 'StopOf'],
  treatWarningsAsErrors: true,
}
