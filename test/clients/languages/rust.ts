import { existsSync } from 'node:fs';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { clients, drivers, type Language, run, startedEachTime } from './language.ts';

/** Where Debian's packages put the sources of crates. */
const crates = '/usr/share/cargo/registry';
/** Cargo's settings that take crates from there, and nothing from the network. */
export const cargoSettings = `[source.crates-io]\nreplace-with = "debian"\n[source.debian]\ndirectory = "${crates}"\n`;
/** Where crates are built once for all that use them. */
export const cargoTarget = join(import.meta.dirname, '..', '..', '..', 'node_modules', '.cache', 'cargo');
/** Debian's own: a newer toolchain on the machine would show nothing about the oldest that the client promises. */
const [cargo, rustc] = ['/usr/bin/cargo', '/usr/bin/rustc'];

export const rust: Language = {
  name: 'Rust',
  needs: ['cargo', 'rustc', 'pkg-config', 'librust-curl+ssl-dev', 'librust-ring-dev', 'librust-serde-json-dev'],
  isInstalled: () =>
    [cargo, rustc, ...['curl-0.4.44', 'ring-0.16.20', 'serde_json-1.0.87'].map((crate) => join(crates, crate))].every(existsSync),
  async prepare(folder) {
    const home = join(folder, 'cargo');
    await mkdir(home);
    await writeFile(join(home, 'config.toml'), cargoSettings);
    await copyFile(join(clients, 'license_client.rs'), join(folder, 'license_client.rs'));
    for (const file of ['main.rs', 'Cargo.toml']) await copyFile(join(drivers, 'rust', file), join(folder, file));
    const env = { ...process.env, CARGO_HOME: home, CARGO_TARGET_DIR: cargoTarget, RUSTC: rustc };
    await run(cargo, ['build', '--offline', '--quiet'], { cwd: folder, env });
    await copyFile(join(cargoTarget, 'debug', 'driver'), join(folder, 'driver'));
    return startedEachTime(join(folder, 'driver'));
  },
  // libcurl reads no HTTP_PROXY in capitals, which a web server's visitors can set.
  proxySettings: (proxy) => ({ http_proxy: proxy }),
};
