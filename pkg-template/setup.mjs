// Checks the prerequisites of the build, installs the missing ones, and explains in
// a sentence how to get those that it can't install. With everything in place it
// takes a moment.
//
//     node pkg-template/setup.mjs            for build, demo and bench
//     node pkg-template/setup.mjs --tests    also for the tests
//     node pkg-template/setup.mjs --consumers  also for the slow consumers
//     node pkg-template/setup.mjs --oracles  for build, and the PyPI packages of `npm run test:oracles`
//     node pkg-template/setup.mjs --fuzz     for the fuzzer
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { argv, env, execPath, exit, getuid, platform, versions } from 'node:process'
import { fileURLToPath } from 'node:url'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const windows = platform === 'win32'

/** A prerequisite that this program can't install; its message says how to. */
class Missing extends Error {}

/** Checks and installs; throws `Missing` for a prerequisite that it can't install. `meanwhile`: what begins once Rust is there. */
export function setup({ tests = false, consumers = false, oracles = false, fuzz = false, mutants = false, coverage = false, miri = false, meanwhile = () => {} } = {}) {
  node()
  linker()
  rust()
  if (fuzz) fuzzer()
  if (tests) {
    component('rustfmt', ['fmt', '--version'])
    component('clippy', ['clippy', '--version'])
  }
  meanwhile()
  npmPackages(root)
  if (tests) {
    for (const folder of ['tests/pkg/runtimes', 'tests/pkg/consumers', 'examples/react']) npmPackages(join(root, folder))
    chromium()
    redis()
  }
  if (consumers) firefox()
  if (oracles) pythonPackages()
  if (mutants) cargoProgram('mutants')
  if (coverage) coverageTools()
  if (miri) nightly('Miri', ['miri', 'rust-src'], worksNightly('miri', '--version'))
}

function node() {
  const [major] = versions.node.split('.')
  if (Number(major) < 20) throw new Missing(`Node.js 20 or newer is needed, but this is ${versions.node}. Get it from https://nodejs.org, or with your system's package manager.`)
}

/** The C compiler links Rust programs; `rustup` doesn't include one. */
function linker() {
  if (platform !== 'linux' || works('cc', ['--version'])) return
  if (!aptInstall('a C compiler, which Rust needs for linking', ['gcc', 'libc6-dev'])) throw new Missing("Rust needs a C compiler for linking. Install gcc with your system's package manager (on Debian and Ubuntu: apt-get install gcc libc6-dev).")
}

function rust() {
  if (!works('cargo', ['--version']) && !(works('rustup', ['--version']) && does('a Rust toolchain', 'rustup', ['default', 'stable']))) {
    throw new Missing('Rust is needed, but cargo was not found. Get it from https://rustup.rs, then open a new terminal and run this again.')
  }
  const version = output('cargo', ['--version'])
  const [, major, minor] = /(\d+)\.(\d+)/.exec(version) ?? []
  if (Number(major) === 1 && Number(minor) < 88) throw new Missing(`Rust 1.88 or newer is needed, but this is ${version}. Get it with \`rustup update\`.`)

  const target = 'wasm32-unknown-unknown'
  // rustc is asked, not rustup, because a distribution's Rust has no rustup.
  if (existsSync(output('rustc', ['--print', 'target-libdir', '--target', target]))) return
  if (!works('rustup', ['--version'])) throw new Missing(`This Rust can't compile to WebAssembly: the target ${target} is missing, and there is no rustup to add it. Install it by the package manager that brought Rust, or get rustup from https://rustup.rs.`)
  if (!does(`Rust's target ${target}`, 'rustup', ['target', 'add', target])) throw new Missing(`Rust's target ${target} could not be added. Run \`rustup target add ${target}\` and see what it says.`)
}

function component(name, check) {
  if (works('cargo', check)) return
  if (!does(name, 'rustup', ['component', 'add', name])) throw new Missing(`${name} is needed, but could not be added. Run \`rustup component add ${name}\` and see what it says.`)
}

/** cargo-fuzz, the nightly compiler that it needs, and a C++ compiler to build libFuzzer. */
function fuzzer() {
  if (!works('c++', ['--version']) && !aptInstall('a C++ compiler, which builds libFuzzer', ['g++'])) throw new Missing("The fuzzer needs a C++ compiler, which builds libFuzzer. Install g++ with your system's package manager (on Debian and Ubuntu: apt-get install g++).")
  nightly('the fuzzer', [], worksNightly('--version'))
  cargoProgram('fuzz')
}

/** A cargo subcommand, such as `cargo mutants`. */
function cargoProgram(name) {
  if (works('cargo', [name, '--version'])) return
  if (!does(`cargo-${name}`, 'cargo', ['install', `cargo-${name}`, '--locked'])) throw new Missing(`cargo-${name} could not be installed. Run \`cargo install cargo-${name} --locked\` and see what it says.`)
}

/** A nightly Rust with components, unless it is installed. */
function nightly(what, components, isThere) {
  if (isThere) return
  if (!works('rustup', ['--version'])) throw new Missing(`A nightly Rust is needed for ${what}, and there is no rustup to install it. Get rustup from https://rustup.rs.`)
  const install = ['toolchain', 'install', 'nightly', '--profile', 'minimal', ...components.flatMap((component) => ['--component', component])]
  if (!does(`a nightly Rust, for ${what}`, 'rustup', install)) throw new Missing(`A nightly Rust could not be installed. Run \`rustup ${install.join(' ')}\` and see what it says.`)
}

/** cargo-llvm-cov, and nightly, because only nightly counts branches. */
function coverageTools() {
  cargoProgram('llvm-cov')
  const [, host] = /^host: (.+)$/m.exec(output('rustc', ['+nightly', '-vV'])) ?? []
  const program = join(output('rustc', ['+nightly', '--print', 'sysroot']), 'lib/rustlib', host ?? '', 'bin', windows ? 'llvm-cov.exe' : 'llvm-cov')
  // There is no command to check with.
  nightly('coverage', ['llvm-tools'], existsSync(program))
}

/** Whether nightly's cargo runs. */
function worksNightly(...args) {
  return works('cargo', ['+nightly', ...args])
}

/** `npm ci`, when node_modules is missing or older than the lock file. */
function npmPackages(folder) {
  const installed = join(folder, 'node_modules/.package-lock.json')
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(join(folder, 'package-lock.json')).mtimeMs) return
  if (!npm(['ci', '--no-audit', '--no-fund'], { cwd: folder })) throw new Missing(`\`npm ci\` failed in ${folder}. The output above says why; without a network the packages can't be had.`)
}

/** The paths of the browser and its driver, also for the tests. */
export function findChromium() {
  const browser = env.CHROMIUM ?? which(['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'])
  const driver = env.CHROMEDRIVER ?? which(['chromedriver'])
  return { browser, driver }
}

function chromium() {
  const complete = () => Object.values(findChromium()).every(Boolean)
  if (complete()) return
  if (!aptInstall('Chromium and its driver, for the tests in a browser', ['chromium', 'chromium-driver']) || !complete()) {
    throw new Missing('The tests in a browser need Chromium and chromedriver. Install both with your system\'s package manager (on Debian: apt-get install chromium chromium-driver), or set CHROMIUM and CHROMEDRIVER to their paths.')
  }
}

/** For examples/resumable, which starts it on a port of its own. */
function redis() {
  const find = () => env.REDIS_SERVER ?? which(['redis-server'])
  if (find()) return
  if (!aptInstall('Redis, for the test of examples/resumable', ['redis-server']) || !find()) {
    throw new Missing("The test of examples/resumable needs Redis. Install redis-server with your system's package manager (on Debian: apt-get install redis-server), or set REDIS_SERVER to its path.")
  }
}

/** The path of Firefox; Debian has Firefox ESR. */
export function findFirefox() {
  return env.FIREFOX ?? which(['firefox-esr', 'firefox'])
}

function firefox() {
  if (findFirefox()) return
  if (!aptInstall('Firefox, for the tests in a browser', ['firefox-esr']) || !findFirefox()) {
    throw new Missing("The consumer `firefox` needs Firefox. Install it with your system's package manager (on Debian: apt-get install firefox-esr), or set FIREFOX to its path.")
  }
}

// autobyteus depends on tools, servers and models; its parser needs only pydantic. That of transformers needs only regex, and xgrammar, which imports torch, needs it not.
const PYTHON_PACKAGES = [['agently==4.0.7', 'pydantic==2.14.3', 'regex==2026.11.15', 'numpy==2.4.6', 'apache-tvm-ffi==0.1.15.post2', 'llguidance==1.9.1'], ['--no-deps', 'autobyteus==1.4.4', 'transformers==5.23.0', 'xgrammar==0.2.8']]
const pythonFolder = join(root, 'target/oracles')

/** The Python with the packages of `npm run test:oracles`. */
export function oraclePython() {
  return join(pythonFolder, windows ? 'Scripts/python.exe' : 'bin/python')
}

/** The packages in a virtual environment; a stamp in it names them. */
function pythonPackages() {
  const stamp = join(pythonFolder, 'installed.json')
  const wanted = JSON.stringify(PYTHON_PACKAGES)
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted && works(oraclePython(), ['--version'])) return
  const python = ['python3', 'python'].find((name) => works(name, ['-c', 'import sys; sys.exit(sys.version_info < (3, 10))']))
  if (python === undefined) throw new Missing('Python 3.10 or newer is needed to run the reference parsers. Get it from https://www.python.org, or with your system\'s package manager.')
  rmSync(pythonFolder, { recursive: true, force: true })
  if (!does('an environment of Python', python, ['-m', 'venv', pythonFolder]) && !(aptInstall('what makes environments of Python', ['python3-venv']) && does('an environment of Python', python, ['-m', 'venv', pythonFolder]))) {
    throw new Missing('Python could not make an environment. Install its module venv with your system\'s package manager (on Debian and Ubuntu: apt-get install python3-venv).')
  }
  for (const packages of PYTHON_PACKAGES) {
    if (!does(packages.join(' '), oraclePython(), ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...packages])) throw new Missing(`pip could not install ${packages.at(-1)}. The output above says why; without a network the packages can't be had.`)
  }
  writeFileSync(stamp, wanted)
}

/** Installs with apt, as root or with sudo; false without apt or permission. */
function aptInstall(what, packages) {
  if (!works('apt-get', ['--version'])) return false
  const sudo = getuid?.() === 0 ? [] : works('sudo', ['-n', 'true']) ? ['sudo', '-n'] : undefined
  if (!sudo) return false
  const apt = (...args) => {
    const [program, ...rest] = [...sudo, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-q', ...args]
    return does(`${what}: apt-get ${args[0]}`, program, rest)
  }
  // An outdated package list still works most of the time, so a failed update is not a reason to stop.
  apt('update')
  return apt('install', '--yes', '--no-install-recommends', ...packages)
}

/** Runs npm: the one that runs this program, if any. */
export function npm(args, options = {}) {
  const script = env.npm_execpath
  const [program, ...before] = script?.endsWith('.js') ? [execPath, script] : [windows ? 'npm.cmd' : 'npm']
  // The settings of the outer `npm run` are not for this one.
  const clean = Object.fromEntries(Object.entries(env).filter(([name]) => !/^npm_(config|lifecycle|package)_/i.test(name)))
  return spawnSync(program, [...before, ...args], { stdio: 'inherit', shell: windows, ...options, env: { ...clean, ...options.env } }).status === 0
}

function which(names) {
  for (const name of names) {
    const path = output(windows ? 'where' : 'which', [name]).split('\n')[0]
    if (path) return path
  }
  return undefined
}

function works(program, args) {
  return spawnSync(program, args, { stdio: 'ignore', cwd: root }).status === 0
}

function output(program, args) {
  return spawnSync(program, args, { encoding: 'utf8', cwd: root, stdio: ['ignore', 'pipe', 'ignore'] }).stdout?.trim() ?? ''
}

function does(what, program, args) {
  console.log(`setup: ${what}`)
  return spawnSync(program, args, { stdio: ['ignore', 'inherit', 'inherit'], cwd: root }).status === 0
}

/** Runs `setup`; a missing thing is a sentence and exit code 1, not a stack trace. */
export function setupOrExit(options) {
  try {
    setup(options)
  } catch (error) {
    if (!(error instanceof Missing)) throw error
    console.error(`setup: ${error.message}`)
    exit(1)
  }
}

if (argv[1] && resolve(argv[1]) === fileURLToPath(import.meta.url)) setupOrExit({ tests: argv.includes('--tests') || argv.includes('--consumers'), consumers: argv.includes('--consumers'), oracles: argv.includes('--oracles'), fuzz: argv.includes('--fuzz') })
