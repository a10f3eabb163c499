import { runCommand, UsageError } from '../../infra/commands/command-line.ts';
import { startTableEngine } from '../support/engines/table-engine.ts';
import { measureImport } from './code-import.ts';
import { measureConsole } from './console.ts';
import { reckonScale } from './cost/scale.ts';
import { measureDay } from './day/day.ts';
import { measureFiles } from './files.ts';
import { measureCold } from './licenses/cold.ts';
import { measureSeats } from './licenses/seats.ts';
import { measureValidate } from './licenses/validate.ts';
import { measurePage } from './page.ts';
import { printTable } from './print-table.ts';
import { countRequests } from './requests/count-requests.ts';
import { compareRivals } from './rival/compare-rivals.ts';
import { measureSaleUnits } from './sales/sale-units.ts';
import { measureSales } from './sales/sales.ts';
import { measureSalesAtLimits } from './sales/sales-limits.ts';
import { measureStartUps } from './start-up.ts';
import { measureUpdateCheck } from './update-check.ts';

const benches = {
  requests: { title: 'Requests to the table', measure: countRequests },
  validate: { title: 'A warm validate, beside the leanest handler', measure: measureValidate },
  page: { title: 'The page of a product, beside a validate', measure: measurePage },
  'update-check': { title: 'A check for updates, beside a validate', measure: measureUpdateCheck },
  cold: { title: 'A cold start, until the first validate is answered', measure: measureCold },
  'start-up': { title: 'Start of each function', measure: measureStartUps },
  seats: { title: 'More devices at once than a license has seats', measure: measureSeats },
  'sale-units': { title: 'Units of one sale', measure: measureSaleUnits },
  sales: { title: 'Sales, 64 in flight', measure: measureSales },
  'sales-limits': { title: 'Sales behind the limits of partitions', measure: measureSalesAtLimits },
  import: { title: 'An import of codes', measure: measureImport },
  file: { title: 'A large file', measure: measureFiles },
  console: { title: 'The console in a browser on a slow machine', measure: measureConsole },
  rival: { title: 'A validate beside what others ask their database', measure: compareRivals },
  day: { title: 'A day of a whole service', measure: measureDay },
  scale: { title: 'Scale, on paper', measure: reckonScale },
};
const usage = `Usage: npm run bench [-- <benchmark>...]
  Prints measurements, all of them or these:
${Object.entries(benches)
  .map(([name, { title }]) => `  ${name.padEnd(15)} ${title}`)
  .join('\n')}`;

await runCommand(usage, async (wanted) => {
  const unknown = wanted.filter((name) => !(name in benches));
  if (unknown.length > 0) throw new UsageError(`There is no benchmark ${unknown.join(', ')}.`);
  const engine = await startTableEngine();
  try {
    for (const [name, { title, measure }] of Object.entries(benches)) {
      if (wanted.length === 0 || wanted.includes(name)) printTable(title, await measure());
    }
  } finally {
    await engine.stop();
  }
});
