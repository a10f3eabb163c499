import type { Mutant } from '../../mutant.ts';

const movesTests = ['test/unit/rules/buyer-moves.test.ts'];
const deviceTests = ['test/endpoints/purchases/buyer-devices.test.ts'];
const releaseTests = ['test/endpoints/purchases/release-device.test.ts'];
const manyTests = ['test/endpoints/purchases/many-devices.test.ts'];
const replaceTests = ['test/endpoints/purchases/replace-key.test.ts'];
const raceTests = ['test/integration/races/buyers.test.ts'];
const rekeyingTests = ['test/integration/licenses/replaced-keys-rekeying.test.ts'];
const listingTests = ['test/integration/licenses/active-devices.test.ts'];
const service = 'shared/licenses/buyer-license-service.ts';
const moves = 'shared/licenses/buyer-moves.ts';
const replacedKeys = 'shared/licenses/replaced-key-repository.ts';
const activeDevices = 'shared/licenses/active-device-repository.ts';
const repository = 'shared/licenses/license-repository.ts';

export const buyerLicenses: readonly Mutant[] = [
  {
    fault: 'a release that is exactly 30 days old still counts',
    file: moves,
    code: 'endOfWindow(at) > now',
    mutant: 'endOfWindow(at) >= now',
    tests: movesTests,
  },
  { fault: 'the window of moves is shorter', file: moves, code: 'windowDays = 30', mutant: 'windowDays = 28', tests: movesTests },
  {
    fault: 'the moves come back with the newest release',
    file: moves,
    code: 'countedReleases(releasedAt, now).toSorted()',
    mutant: 'countedReleases(releasedAt, now).toSorted().toReversed()',
    tests: movesTests,
  },
  {
    fault: 'one move more than is allowed',
    file: moves,
    code: 'most - others.length - 1, 0)',
    mutant: 'most - others.length, 0)',
    tests: movesTests,
  },
  {
    fault: 'old releases are told as the ones that count',
    file: moves,
    code: 'releasedAt.filter((at) => counts(at, now))',
    mutant: 'releasedAt.filter(() => now)',
    tests: movesTests,
  },
  {
    fault: 'a release forgets the ones before',
    file: moves,
    code: '[...countedReleases(moves.releasedAt, now), now.toISOString()]',
    mutant: '[now.toISOString()]',
    tests: movesTests,
  },
  {
    fault: 'the key can be replaced again at once',
    file: moves,
    code: 'if (moves.keyReplacedAt !== undefined && counts(moves.keyReplacedAt, now)) ',
    mutant: 'if (moves.keyReplacedAt !== undefined && !counts(moves.keyReplacedAt, now)) ',
    tests: movesTests,
  },
  {
    fault: 'the key can be replaced once and never again',
    file: moves,
    code: 'moves.keyReplacedAt !== undefined && counts(moves.keyReplacedAt, now)',
    mutant: 'moves.keyReplacedAt !== undefined',
    tests: movesTests,
  },
  {
    fault: 'a replaced key forgets the moves',
    file: moves,
    code: 'return { ...moves, keyReplacedAt',
    mutant: 'return { ...moves, releasedAt: [], keyReplacedAt',
    tests: movesTests,
  },
  {
    fault: 'a release forgets that the key was replaced',
    file: moves,
    code: 'return { ...moves, releasedAt: [',
    mutant: 'return { licenseId: moves.licenseId, revision: moves.revision, releasedAt: [',
    tests: movesTests,
  },
  {
    fault: 'moves are recorded over those of another',
    file: 'shared/licenses/buyer-moves-repository.ts',
    code: 'if (read.revision > 0) return replaceUnchanged(read, item);',
    mutant: 'if (read.revision > 0) return { put: { Item: item } };',
    tests: manyTests,
  },
  {
    fault: 'first moves are recorded over those of another',
    file: 'shared/licenses/buyer-moves-repository.ts',
    code: 'return { put: { Item: item, ...ifAbsent }, onConditionFailed: lockConflict };',
    mutant: 'return { put: { Item: item } };',
    tests: raceTests,
  },
  {
    fault: 'moves do not count their changes',
    file: 'shared/licenses/buyer-moves-repository.ts',
    code: 'revision: read.revision + 1',
    mutant: 'revision: Math.max(read.revision, 1)',
    tests: manyTests,
  },
  {
    fault: 'few attempts: of fifty some are sent away',
    file: service,
    code: 'const attempts = 30;',
    mutant: 'const attempts = 2;',
    tests: manyTests,
  },
  {
    fault: 'devices come in other pages',
    file: service,
    code: 'const devicesAtATime = 50;',
    mutant: 'const devicesAtATime = 49;',
    tests: deviceTests,
  },
  {
    fault: 'what buyers do is audited as the provider’s',
    file: service,
    code: "const actor = 'buyer';",
    mutant: "const actor = 'provider';",
    tests: releaseTests,
  },
  {
    fault: 'terms that forbid deactivation do not bind buyers',
    file: service,
    code: "if (!license.deactivationAllowed) throw new AppError('deactivation_not_allowed');",
    mutant: '',
    tests: releaseTests,
  },
  {
    fault: 'whether a device is known is told before the terms forbid it',
    file: service,
    code: `          if (!license.deactivationAllowed) throw new AppError('deactivation_not_allowed');
          const device = isId('activation', activationId)
            ? await licenses.findDevice(license, deviceHashOfActivation(activationId))
            : undefined;
          if (!device) throw new AppError('activation_not_found');
`,
    mutant: `          const device = isId('activation', activationId)
            ? await licenses.findDevice(license, deviceHashOfActivation(activationId))
            : undefined;
          if (!device) throw new AppError('activation_not_found');
          if (!license.deactivationAllowed) throw new AppError('deactivation_not_allowed');
`,
    tests: releaseTests,
  },
  {
    fault: 'a device without seat is refused when the moves are exhausted',
    file: service,
    code: `          if (!isActive(device)) return withoutSeat(licenseId, activationId);

          const at = now();
          const counted = withRelease(moves, mostReleases, at);
`,
    mutant: `          const at = now();
          const counted = withRelease(moves, mostReleases, at);
          if (!isActive(device)) return withoutSeat(licenseId, activationId);
`,
    tests: releaseTests,
  },
  {
    fault: 'moves are read after the device',
    file: service,
    code: `          const moves = await buyerMoves.getMoves(licenseId);
          const license = await licenses.getLicense(licenseId);
          if (!license.deactivationAllowed) throw new AppError('deactivation_not_allowed');
          const device = isId('activation', activationId)
            ? await licenses.findDevice(license, deviceHashOfActivation(activationId))
            : undefined;
`,
    mutant: `          const license = await licenses.getLicense(licenseId);
          if (!license.deactivationAllowed) throw new AppError('deactivation_not_allowed');
          const device = isId('activation', activationId)
            ? await licenses.findDevice(license, deviceHashOfActivation(activationId))
            : undefined;
          const moves = await buyerMoves.getMoves(licenseId);
`,
    tests: raceTests,
  },
  {
    fault: 'a device that has no seat any more is told of older moves',
    file: service,
    code: 'if (!isActive(device)) return withoutSeat(licenseId, activationId);',
    mutant:
      'if (!isActive(device)) return { activationId, activationCount: license.activationCount, movesLeft: movesLeft(moves, mostReleases, now()).movesLeft };',
    tests: raceTests,
  },
  {
    fault: 'a release is not counted',
    file: service,
    code: `            buyerMoves.recordMoves(moves, counted),
            ...licenses.releaseSeat`,
    mutant: '            ...licenses.releaseSeat',
    tests: releaseTests,
  },
  {
    fault: 'the mail about a release does not name the device',
    file: service,
    code: ", kind: 'device_released', deviceLabel: device.deviceLabel }",
    mutant: ", kind: 'device_released' }",
    tests: releaseTests,
  },
  {
    fault: 'a replacement is not counted',
    file: service,
    code: `            buyerMoves.recordMoves(moves, counted),
            ...replacedKeys`,
    mutant: '            ...replacedKeys',
    tests: replaceTests,
  },
  {
    fault: 'imported codes are replaced by generated keys',
    file: service,
    code: "if (licenseIssuanceMode !== 'generated_server_validated') throw new AppError('wrong_issuance_mode');",
    mutant: '',
    tests: replaceTests,
  },
  {
    fault: 'the key of a stopped license is replaced',
    file: service,
    code: "if (statusOf(license, at) !== 'active') throw new AppError('license_not_usable');",
    mutant: "if (license.revokedAt) throw new AppError('license_not_usable');",
    tests: replaceTests,
  },
  {
    fault: 'the replacement is told as a release',
    file: service,
    code: "kind: 'key_replaced'",
    mutant: "kind: 'device_released'",
    tests: replaceTests,
  },
  {
    fault: 'nobody is told: the mail waits for the sweeper',
    file: service,
    code: '    await sendJob(task);\n',
    mutant: '',
    tests: [...releaseTests, ...replaceTests],
  },
  {
    fault: 'a cursor is of any license',
    file: activeDevices,
    code: `const list = \`active-devices-of-\${license.id}\`;`,
    mutant: "const list = 'active-devices';",
    tests: deviceTests,
  },
  {
    fault: 'a page begins with the last of the page before',
    file: activeDevices,
    code: 'positionOf(device) < before)',
    mutant: 'positionOf(device) <= before)',
    tests: manyTests,
  },
  {
    fault: 'devices without seat are listed',
    file: activeDevices,
    code: 'isActive(device) && (before',
    mutant: '(before',
    tests: deviceTests,
  },
  { fault: 'the oldest devices come first', file: activeDevices, code: '? 1 : -1', mutant: '? -1 : 1', tests: deviceTests },
  {
    fault: 'only the first read of the devices counts',
    file: activeDevices,
    code: 'after = more ? ',
    mutant: 'after = !more ? ',
    tests: manyTests,
  },
  {
    fault: 'a full page always has a next one',
    file: activeDevices,
    code: 'newest.length > limit && last',
    mutant: 'newest.length >= limit && last',
    tests: deviceTests,
  },
  {
    fault: 'while a license moves the new place is read alone',
    file: activeDevices,
    code: '    for await (const devices of devicesUnder(movingFrom)) yield devices.filter((device) => device.movedTo === undefined);\n',
    mutant: '',
    tests: listingTests,
  },
  {
    fault: 'while a license moves the old place is read last',
    file: activeDevices,
    code: `    for await (const devices of devicesUnder(movingFrom)) yield devices.filter((device) => device.movedTo === undefined);
    yield* devicesUnder(lookup);`,
    mutant: `    yield* devicesUnder(lookup);
    for await (const devices of devicesUnder(movingFrom)) yield devices.filter((device) => device.movedTo === undefined);`,
    tests: listingTests,
  },
  {
    fault: 'while a license moves, seats that were freed since are listed',
    file: activeDevices,
    code: 'yield devices.filter((device) => device.movedTo === undefined);',
    mutant: 'yield devices;',
    tests: listingTests,
  },
  {
    fault: 'a device is listed in both places',
    file: activeDevices,
    code: 'devices.map((device) => [device.deviceHash, device])',
    mutant: `devices.map((device) => [\`\${device.deviceHash}\${device.lookup}\`, device])`,
    tests: listingTests,
  },
  {
    fault: 'the key of a license that was held meanwhile is replaced',
    file: replacedKeys,
    code: "'suspendedAt', 'paymentHold', 'revokedAt'",
    mutant: "'suspendedAt', 'revokedAt'",
    tests: raceTests,
  },
  {
    fault: 'the key of a license that was revoked meanwhile is replaced',
    file: replacedKeys,
    code: "'suspendedAt', 'paymentHold', 'revokedAt'",
    mutant: "'suspendedAt', 'paymentHold'",
    tests: raceTests,
  },
  {
    fault: 'the old key is forgotten',
    file: replacedKeys,
    code: '        ...[...places].map(leave),\n',
    mutant: '',
    tests: replaceTests,
  },
  {
    fault: 'the old key is left under the current pepper alone',
    file: replacedKeys,
    code: 'new Set([license.lookup, ...(movingFrom === undefined ? [] : [movingFrom]), ...lookups.old])',
    mutant: 'new Set(lookups.old.slice(0, 1))',
    tests: rekeyingTests,
  },
  {
    fault: 'replaced keys are on no list',
    file: replacedKeys,
    code: 'const Item = lookup === lookups.old[0] ? listed(replaced) : ',
    mutant: 'const Item = lookup === "" ? listed(replaced) : ',
    tests: rekeyingTests,
  },
  {
    fault: 'a replaced key stays on the list of its old pepper',
    file: replacedKeys,
    code: "UpdateExpression: 'REMOVE listPk, listSk'",
    mutant: "UpdateExpression: 'REMOVE listSks'",
    tests: rekeyingTests,
  },
  {
    fault: 'a replaced key leaves its list with the first copy',
    file: replacedKeys,
    code: 'Item: listed({ ...replaced, lookup }),',
    mutant: 'Item: { ...licenseKey(lookup), ...replaced, lookup },',
    tests: rekeyingTests,
  },
  {
    fault: 'the pointer goes on to move',
    file: replacedKeys,
    code: ' REMOVE movingFrom, movingSince',
    mutant: ' REMOVE movingSince',
    tests: rekeyingTests,
  },
  {
    fault: 'the license stays on the list of the old pepper',
    file: replacedKeys,
    code: `listKey(\`licenses#\${pepperVersionOf(lookup)}\`, issuedAt, id)`,
    mutant: `listKey(\`licenses#\${pepperVersionOf(read.lookup)}\`, issuedAt, id)`,
    tests: rekeyingTests,
  },
  {
    fault: 'seats are taken of a license whose key was replaced',
    file: repository,
    code: " AND attribute_not_exists(replacedAt)'",
    mutant: "'",
    tests: raceTests,
  },
  {
    fault: 'a replaced key is answered as unknown',
    file: repository,
    code: 'if (replaced) return { replacedKey: ReplacedKey.parse(replaced) };',
    mutant: 'if (replaced) return {};',
    tests: replaceTests,
  },
  {
    fault: 'replaced keys spend the budget of unknown ones',
    file: 'shared/licenses/runtime-service.ts',
    code: `    if (replacedKey) return withoutLicense('license_replaced', at);
    await limitUnknownKeys(productId);
`,
    mutant: `    await limitUnknownKeys(productId);
    if (replacedKey) return withoutLicense('license_replaced', at);
`,
    tests: replaceTests,
  },
  {
    fault: 'a license whose key was just replaced is read where it was',
    file: repository,
    code: ' || isReplacedKey(item)) throw',
    mutant: ') throw',
    tests: raceTests,
  },
  {
    fault: 'lists fail while a key is replaced',
    file: repository,
    code: '(isReplacedKey(item) ? findLicenseById(ReplacedKey.parse(item).id) : License.parse(item))',
    mutant: 'License.parse(item)',
    tests: raceTests,
  },
  {
    fault: 'devices of former keys are none of the license',
    file: repository,
    code: ', ...formerKeys.map((former) => former.lookup)];',
    mutant: '];',
    tests: replaceTests,
  },
  {
    fault: 'devices of former keys keep their seat',
    file: repository,
    code: 'deactivatedAt: device.deactivatedAt ?? former.replacedAt }',
    mutant: 'deactivatedAt: device.deactivatedAt }',
    tests: replaceTests,
  },
  {
    fault: 'devices of former keys all left when the key did',
    file: repository,
    code: 'device.deactivatedAt ?? former.replacedAt',
    mutant: 'former.replacedAt',
    tests: replaceTests,
  },
  {
    fault: 'the second replacement forgets the first key',
    file: 'shared/licenses/new-license.ts',
    code: 'formerKeys: [...(license.formerKeys ?? []), ...former',
    mutant: 'formerKeys: [...former',
    tests: replaceTests,
  },
  {
    fault: 'a moving license goes on to move under the new key',
    file: 'shared/licenses/new-license.ts',
    code: '    ...newLicense(kept, key, secrets),',
    mutant: '    ...newLicense({ ...kept, ...(movingFrom && { movingFrom }) }, key, secrets),',
    tests: rekeyingTests,
  },
  {
    fault: 'devices that had not followed are forgotten with the key',
    file: 'shared/licenses/new-license.ts',
    code: '[license.lookup, ...(movingFrom === undefined ? [] : [movingFrom])];',
    mutant: '[license.lookup];',
    tests: rekeyingTests,
  },
  {
    fault: 'replaced keys are not copied to the current pepper',
    file: 'shared/licenses/rekeying/rekeying.ts',
    code: 'for await (const keys of pagesOf((page) => replacedKeys.listReplacedKeysUnder(version, page), licensesAtATime)) {',
    mutant: `for await (const keys of pagesOf((page) => replacedKeys.listReplacedKeysUnder(\`\${version}0\`, page), licensesAtATime)) {`,
    tests: rekeyingTests,
  },
  ...['list-devices', 'release-device', 'replace-key'].flatMap((name): Mutant[] => [
    {
      fault: `caches keep what ${name} answers`,
      file: `functions/purchases/${name}.ts`,
      code: '  sensitive: true,\n',
      mutant: '',
      tests: deviceTests,
    },
    {
      fault: `${name} has the limit of downloads`,
      file: `functions/purchases/${name}.ts`,
      code: "rateLimit: 'complete'",
      mutant: "rateLimit: 'download'",
      tests: deviceTests,
    },
  ]),
];
