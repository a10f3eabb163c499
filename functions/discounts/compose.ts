import { createDiscountService } from '../../shared/discounts/discount-service.ts';
import type { Composition } from '../../shared/function-parts.ts';
import { usersBy } from '../../shared/http/create-authenticate.ts';
import { createHandler } from '../../shared/http/create-handler.ts';
import type { settingNames } from './declaration.ts';
import { routes } from './routes.ts';

/** The endpoints with which sellers make and end the discounts of their products. */
export function compose({ settings, logger, table, now }: Composition<typeof settingNames, 'table'>) {
  const services = { discounts: createDiscountService({ table, now }) };
  return createHandler({ routes, services, logger, ...usersBy(settings, { table, now }) });
}
