/** Arrests by month and by every combination of the axes: the base of the datasets on arrests and what follows them. */
import { split } from '../split.ts';
import { arrestMethods, countries, criminality, genders, months } from './axes.ts';

/**
 * The months and their numbers of arrests, which rise at the start of 2025, as `surge` goes from 0 to 1.
 */
export const monthlyArrests = `
  SELECT
    *,
    logistic((elapsed - 28) / 2.5) AS surge,
    round(coverage * (230 + 3 * elapsed + 850 * surge) * exp(0.06 * n(concat_ws('/', 'arrests', year, month))))
      AS arrests
  FROM (${months})`;

/** num_arrests by year, month, gender (`unknown` among them), criminal history, way of arrest and country. */
export const arrestCells = `
  SELECT
    year, month, demographic, criminality, apprehension_method_group, citizenship_country, surge,
    ${split({ total: 'arrests', weight: 'weight', within: 'year, month', order: 'turn' })} AS num_arrests
  FROM (
    SELECT
      *,
      u(concat_ws('/', 'arrests', year, month, demographic, criminality, apprehension_method_group, citizenship_country))
        AS turn,
      round(100000000 * genders.share * criminality.share * methods.share * countries.share
        * exp(totals.surge * (criminality.surge + methods.surge)))::BIGINT AS weight
    FROM (${monthlyArrests}) totals, (${genders}) genders, (${criminality}) criminality, (${arrestMethods}) methods,
      (${countries}) countries
  )`;
